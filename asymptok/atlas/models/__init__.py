"""Local models: what a kernel is near an end, as finitely many terms c t^e (log t)^j and a proved bound of the rest."""
