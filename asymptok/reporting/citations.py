"""Where kernels and theorems come from, as BibTeX."""

from __future__ import annotations

from dataclasses import dataclass

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.kernels import names as kernel_names
from asymptok.kernels.construction import NAMED
from asymptok.kernels.kernel import Kernel
from asymptok.show.preformatted import Preformatted
from asymptok.theorems import ConditionReport, Reference
from asymptok.theorems import references as sources
from asymptok.version import __version__

__all__ = ["Bibliography", "Reference", "cite", "references"]


@dataclass(frozen=True, slots=True, repr=False)
class Bibliography(Preformatted):
    """References that print themselves as BibTeX."""

    references: tuple[Reference, ...]

    def __str__(self) -> str:
        return "\n\n".join(reference.bibtex for reference in self.references)

    __repr__ = __str__

    @property
    def keys(self) -> tuple[str, ...]:
        """What to put into \\cite{...}."""
        return tuple(reference.key for reference in self.references)

    @property
    def prose(self) -> tuple[str, ...]:
        """Each reference as a line to read."""
        return tuple(reference.where for reference in self.references)


def _reference(key: str, kind: str, **fields: str) -> Reference:
    width = max(map(len, fields))
    lines = [f"  {name.ljust(width)} = {{{value}}}," for name, value in fields.items()]
    places = ("journal", "booktitle", "publisher", "year")
    where = ", ".join(fields[name] for name in places if name in fields)
    where = _unicode(f"{_people(fields['author'])}: {fields['title']}. {where}")
    return Reference(key, where, "\n".join([f"@{kind}{{{key},", *lines, "}"]))


def _people(authors: str) -> str:
    """First names first."""
    return ", ".join(" ".join(reversed(name.split(", "))) for name in authors.split(" and "))


def _unicode(text: str) -> str:
    for letter, written in (
        ("{\\'e}", "\u00e9"),
        ("{\\'a}", "\u00e1"),
        ("{\\'O}", "\u00d3"),
        ("{", ""),
        ("}", ""),
    ):
        text = text.replace(letter, written)
    return text


_NEURIPS = "Advances in Neural Information Processing Systems"
_ICLR = "International Conference on Learning Representations"

_OWN = (
    _reference(
        "CaponnettoDeVito2007",
        "article",
        author="Caponnetto, Andrea and De Vito, Ernesto",
        title="Optimal Rates for the Regularized Least-Squares Algorithm",
        journal="Foundations of Computational Mathematics",
        volume="7",
        number="3",
        pages="331--368",
        year="2007",
    ),
    _reference(
        "ChenXu2021",
        "inproceedings",
        author="Chen, Lin and Xu, Sheng",
        title="Deep Neural Tangent Kernel and {Laplace} Kernel Have the Same {RKHS}",
        booktitle=_ICLR,
        year="2021",
    ),
    _reference(
        "ChoSaul2009",
        "inproceedings",
        author="Cho, Youngmin and Saul, Lawrence K.",
        title="Kernel Methods for Deep Learning",
        booktitle=_NEURIPS,
        volume="22",
        pages="342--350",
        year="2009",
    ),
    _reference(
        "Geifman2020",
        "inproceedings",
        author="Geifman, Amnon and Yadav, Abhay and Kasten, Yoni and Galun, Meirav and Jacobs, David and "
        "Basri, Ronen",
        title="On the Similarity between the {Laplace} and Neural Tangent Kernels",
        booktitle=_NEURIPS,
        volume="33",
        year="2020",
    ),
    _reference(
        "Jacot2018",
        "inproceedings",
        author="Jacot, Arthur and Gabriel, Franck and Hongler, Cl{\\'e}ment",
        title="Neural Tangent Kernel: Convergence and Generalization in Neural Networks",
        booktitle=_NEURIPS,
        volume="31",
        year="2018",
    ),
    _reference(
        "Johansson2017",
        "article",
        author="Johansson, Fredrik",
        title="Arb: Efficient Arbitrary-Precision Midpoint-Radius Interval Arithmetic",
        journal="IEEE Transactions on Computers",
        volume="66",
        number="8",
        pages="1281--1292",
        year="2017",
        doi="10.1109/TC.2017.2690633",
    ),
    _reference(
        "Lee2018",
        "inproceedings",
        author="Lee, Jaehoon and Bahri, Yasaman and Novak, Roman and Schoenholz, Samuel S. and Pennington, "
        "Jeffrey and Sohl-Dickstein, Jascha",
        title="Deep Neural Networks as {Gaussian} Processes",
        booktitle=_ICLR,
        year="2018",
    ),
    _reference(
        "RasmussenWilliams2006",
        "book",
        author="Rasmussen, Carl Edward and Williams, Christopher K. I.",
        title="Gaussian Processes for Machine Learning",
        publisher="MIT Press",
        year="2006",
    ),
    _reference(
        "Smola2001",
        "inproceedings",
        author="Smola, Alex J. and {\\'O}v{\\'a}ri, Zolt{\\'a}n L. and Williamson, Robert C.",
        title="Regularization with Dot-Product Kernels",
        booktitle=_NEURIPS,
        volume="13",
        year="2001",
    ),
    _reference(
        "Williams1997",
        "inproceedings",
        author="Williams, Christopher K. I.",
        title="Computing with Infinite Networks",
        booktitle=_NEURIPS,
        volume="9",
        year="1997",
    ),
)

#: theorems bring their own sources
_REFERENCES: dict[str, Reference] = {
    **{source.key: source for source in vars(sources).values() if isinstance(source, Reference)},
    **{reference.key: reference for reference in _OWN},
}

#: the sources of what the package does; the keys are accepted by cite()
_TOPICS = {
    "decay": ("BiettiBach2021",),
    "check": ("BiettiBach2021",),
    "consequences": ("BiettiBach2021", "BiettiMairal2019", "CaponnettoDeVito2007"),
    "eigenvalues": ("Smola2001", "Johansson2017"),
    "positive definite": ("Schoenberg1942",),
    "same RKHS": ("Geifman2020", "ChenXu2021"),
}


def references(subject: object) -> tuple[str, ...]:
    """The keys of the sources of a kernel, of a result (Decay, Spectrum, ...), or of a topic or kernel by name.

    >>> references("erf_network")
    ('Williams1997',)
    """
    if isinstance(subject, Kernel):
        return _of_kernel(subject)
    if isinstance(subject, str):
        found = NAMED[subject].sources if subject in NAMED else _TOPICS.get(subject)
        if found is None:
            raise AsymptokError(
                f"no sources are known for {subject!r}: give a kernel, one of {', '.join(_TOPICS)}, or the name of a "
                f"kernel ({', '.join(kernel_names())})"
            )
        return found
    if isinstance(subject, ConditionReport):
        return (*references(subject.kernel), subject.theorem.reference.key)
    result = _RESULTS.get(type(subject).__name__)
    if result is None:
        raise AsymptokError(f"no sources are known for a {type(subject).__name__}: give a kernel or a result")
    kernel = getattr(subject, "kernel", None)
    return (*(references(kernel) if isinstance(kernel, Kernel) else ()), *_TOPICS[result])


_RESULTS = {
    "Decay": "decay",
    "Spectrum": "eigenvalues",
    "Verification": "eigenvalues",
    "Consequences": "consequences",
}


def _of_kernel(kernel: Kernel) -> tuple[str, ...]:
    """By the name that the functions of asymptok.kernels give; for other kernels by what they are made of."""
    for known in NAMED.values():
        if kernel.name is not None and kernel.name.startswith(known.label):
            return known.sources
    built_on = any(isinstance(node, ArcCosine) for node in dag.postorder(kernel.expr))
    return ("ChoSaul2009",) if built_on else ()


def cite(*subjects: object) -> Bibliography:
    """BibTeX of the sources of kernels and results, with the program itself; of everything without arguments.

    >>> from asymptok import kernels
    >>> cite(kernels.random_features(3)).keys
    ('asymptok', 'ChoSaul2009', 'BiettiBach2021')
    """
    if subjects:
        keys = [key for subject in subjects for key in references(subject)]
    else:
        keys = list(_REFERENCES)
    return Bibliography(
        (_software(), *(_REFERENCES[key] for key in dict.fromkeys(keys) if key in _REFERENCES))
    )


def _software() -> Reference:
    return _reference(
        "asymptok",
        "misc",
        author="{The asymptok developers}",
        title="asymptok: exact expansions and eigenvalue decay of dot-product kernels on the sphere",
        year="2026",
        note=f"Version {__version__}",
    )
