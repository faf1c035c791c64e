"""The symbols that every formula of the package shares."""

from __future__ import annotations

from sympy import Symbol

#: the inner product <x, y>, in [-1, 1]
u = Symbol("u", real=True)
#: the distance to an end of the interval, 1 - u or 1 + u
t = Symbol("t", positive=True)
#: the degree of a spherical harmonic
k = Symbol("k", integer=True, nonnegative=True)
#: the dimension of the ambient space of the sphere S^(d-1)
d = Symbol("d", integer=True, positive=True)
#: the argument of an activation
x = Symbol("x", real=True)
#: the distance |x - y| of two points of R^d
r = Symbol("r", positive=True)
#: the modulus of a frequency in R^d
w = Symbol("w", positive=True)
