"""A kernel as a program, the charts on which it is analytic, and the contour that opens from them: bounds of mu_k."""
