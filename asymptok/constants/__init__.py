"""Exact constants and exponents: their arithmetic, their order, and whether they vanish."""
