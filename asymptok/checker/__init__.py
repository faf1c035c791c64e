"""A small program of its own that verifies certificates: `python -m asymptok.checker certificate.json`.

It uses the standard library alone, imports nothing of the rest of the package, and evaluates the kernel itself, in
integer arithmetic with proved errors. docs/certificates.md has the proof that what it checks proves the claims.
"""
