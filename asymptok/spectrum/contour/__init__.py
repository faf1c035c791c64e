"""mu_k as an integral around [-1, 1]: where a kernel is analytic, its terms at the ends, and bounds of what is left."""
