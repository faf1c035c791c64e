"""Where the theorems are from."""

from __future__ import annotations

from asymptok.theorems.theorem import Reference

BIETTI_BACH = Reference(
    "BiettiBach2021",
    "A. Bietti, F. Bach: Deep equals shallow for ReLU networks in kernel regimes, ICLR 2021",
    """@inproceedings{BiettiBach2021,
  author    = {Bietti, Alberto and Bach, Francis},
  title     = {Deep Equals Shallow for {ReLU} Networks in Kernel Regimes},
  booktitle = {International Conference on Learning Representations},
  year      = {2021},
  eprint    = {2009.14397},
  archiveprefix = {arXiv}
}""",
)

BIETTI_MAIRAL = Reference(
    "BiettiMairal2019",
    "A. Bietti, J. Mairal: On the inductive bias of neural tangent kernels, NeurIPS 2019",
    """@inproceedings{BiettiMairal2019,
  author    = {Bietti, Alberto and Mairal, Julien},
  title     = {On the Inductive Bias of Neural Tangent Kernels},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {32},
  year      = {2019},
  eprint    = {1905.12173},
  archiveprefix = {arXiv}
}""",
)

SCHOENBERG = Reference(
    "Schoenberg1942",
    "I. J. Schoenberg: Positive definite functions on spheres, Duke Math. J. 9 (1942), 96-108",
    """@article{Schoenberg1942,
  author  = {Schoenberg, Isaac J.},
  title   = {Positive definite functions on spheres},
  journal = {Duke Mathematical Journal},
  volume  = {9},
  number  = {1},
  pages   = {96--108},
  year    = {1942}
}""",
)

FLAJOLET_ODLYZKO = Reference(
    "FlajoletOdlyzko1990",
    "P. Flajolet, A. Odlyzko: Singularity analysis of generating functions, SIAM J. Discrete Math. 3 (1990), 216-240",
    """@article{FlajoletOdlyzko1990,
  author  = {Flajolet, Philippe and Odlyzko, Andrew},
  title   = {Singularity Analysis of Generating Functions},
  journal = {SIAM Journal on Discrete Mathematics},
  volume  = {3},
  number  = {2},
  pages   = {216--240},
  year    = {1990}
}""",
)

BERNSTEIN = Reference(
    "Trefethen2019",
    "S. N. Bernstein (1912); L. N. Trefethen: Approximation Theory and Approximation Practice, SIAM 2019, chapter 8",
    """@book{Trefethen2019,
  author    = {Trefethen, Lloyd N.},
  title     = {Approximation Theory and Approximation Practice, Extended Edition},
  publisher = {SIAM},
  year      = {2019}
}""",
)

WONG = Reference(
    "Wong1989",
    "docs/spectrum.md, Theorem 2, after A. Erdelyi (J. SIAM 4 (1956), 38-47) and R. Wong: Asymptotic Approximations of "
    "Integrals, Academic Press 1989",
    """@book{Wong1989,
  author    = {Wong, Roderick},
  title     = {Asymptotic Approximations of Integrals},
  publisher = {Academic Press},
  year      = {1989}
}""",
)

ERDELYI = Reference(
    "Erdelyi1956",
    "A. Erdelyi: Asymptotic expansions of Fourier integrals involving logarithmic singularities, J. SIAM 4 (1956)",
    """@article{Erdelyi1956,
  author  = {Erd{\\'e}lyi, Arthur},
  title   = {Asymptotic Expansions of {Fourier} Integrals Involving Logarithmic Singularities},
  journal = {Journal of the Society for Industrial and Applied Mathematics},
  volume  = {4},
  number  = {1},
  pages   = {38--47},
  year    = {1956}
}""",
)

BACH = Reference(
    "Bach2017",
    "F. Bach: Breaking the curse of dimensionality with convex neural networks, JMLR 18 (2017), no. 19",
    """@article{Bach2017,
  author  = {Bach, Francis},
  title   = {Breaking the Curse of Dimensionality with Convex Neural Networks},
  journal = {Journal of Machine Learning Research},
  volume  = {18},
  number  = {19},
  pages   = {1--53},
  year    = {2017}
}""",
)
