"""The certificate in a file: strict reading of what `files` writes, AsymptokError for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, TypeVar

from asymptok.arguments import read_text
from asymptok.checker.read import BadInput, integer, parsed, rational
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.proofs.claims import ParityClaim
from asymptok.proofs.expressions import from_nodes, to_nodes
from asymptok.proofs.fields import DECIMAL, LISTS, PAIR, STATEMENT, WHOLE, read_fields, read_law, record
from asymptok.proofs.files import FORMAT, PARITIES, PART, digest, to_data
from asymptok.proofs.halves import part_of
from asymptok.proofs.making import made_again
from asymptok.proofs.statement import DiscClaim, EndClaim, Statement
from asymptok.proofs.stretched import CoefficientClaim

__all__ = ["parts", "read"]

C = TypeVar("C", bound=Statement)


def read(source: object) -> dict[str, Any]:
    """The dictionary in a path, a text or a dictionary; AsymptokError if it is no certificate or was damaged."""
    if isinstance(source, bytes):
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            raise AsymptokError("not a certificate: the bytes are no text in UTF-8") from error
    if isinstance(source, PathLike) or (isinstance(source, str) and not source.lstrip().startswith("{")):
        if not str(source).strip():
            raise AsymptokError("not a certificate: the text is empty")
        source = read_text(source, "the certificate")
    if isinstance(source, str):
        try:
            source = parsed(source)
        except BadInput as error:
            raise AsymptokError(f"not a certificate: {error}") from error
    if not isinstance(source, dict) or source.get("format") != FORMAT:
        raise AsymptokError(f"not a certificate of the format {FORMAT}")
    if source.get("digest") != digest(source):
        raise AsymptokError("the certificate was changed: its digest does not fit")
    return source


def parts(data: Mapping[str, object], make: type[C]) -> C:
    """The statement that a dictionary describes; AsymptokError if a field is missing, unknown or of the wrong kind."""
    try:
        found = _parts(data, make, None)
        if _keys(to_data(found)) != _keys(data):
            raise ValueError("fields that no certificate has, at least not where they are")
        return found
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError, IndexError) as error:
        raise AsymptokError(
            f"the certificate is damaged: {type(error).__name__} {error}; make it anew"
        ) from error


def _keys(data: object) -> object:
    """The fields of all claims, without their values."""
    if isinstance(data, Mapping):
        return {key: _keys(x) for key, x in data.items() if key not in ("comment", "nodes", "making")}
    return [_keys(x) for x in data] if isinstance(data, list) else None


def _parts(data: Mapping[str, Any], make: type[C], kernel: Kernel | None) -> C:
    """The statement; about a part of a kernel, if one is given, which has to have the formula in the file."""
    halves: dict[str, C] = {}
    if kernel is None:
        kernel = _read_kernel(data["kernel"])
        for name, part in data.get("parts", {}).items():
            halves[name] = _parts(read(part), make, part_of(kernel, PARITIES.index(name)))
    elif not _has_formula(kernel, data["kernel"]["nodes"]) or "parts" in data:
        raise AsymptokError("a part of the certificate is not about that part of the kernel")
    claims: dict[str, Any] = {
        key: tuple(record(kind, x) for x in (data.get(key, ()) if hidden else data[key]))
        for key, (kind, hidden) in LISTS.items()
    }
    if any(b.beta is None and (rational(b.plus) or rational(b.minus)) for b in claims["bounds"]):
        raise ValueError("a bound on the slits without its beta")
    laws = [_law(data["parities"][name], i, halves.get(name)) for i, name in enumerate(PARITIES)]
    derivatives = data.get("derivatives", ())
    return make(
        # under a name only if its making gives it one: the name in the comment may be that of another kernel
        kernel=kernel,
        label=_label(data["comment"]["name"]),
        **read_fields(data, STATEMENT),
        **claims,
        ends=_read_ends(data["comment"]["ends"]),
        even=laws[0],
        odd=laws[1],
        small=_read_small(data["small"]),
        derivatives=tuple((WHOLE.read(n), DECIMAL.read(size)) for n, size in derivatives),
        coefficients=record(CoefficientClaim, data["coefficients"]) if "coefficients" in data else None,
        parts=(halves.get(PARITIES[0]), halves.get(PARITIES[1])),
    )


def _label(name: object) -> str | None:
    if not isinstance(name, str | None):
        raise ValueError("a name is a text")
    return name


def _read_kernel(data: Mapping[str, Any]) -> Kernel:
    """The kernel of the formula; what was made as a mean of products is made anew, and must have that formula."""
    if "making" not in data:
        return Kernel(from_nodes(data["nodes"]))
    kernel = made_again(data["making"])
    if not _has_formula(kernel, data["nodes"]):
        raise AsymptokError("the kernel of the certificate is not the one that its making gives")
    return kernel


def _has_formula(kernel: Kernel, nodes: list[Any]) -> bool:
    return to_nodes(kernel.expr) == nodes or kernel.expr == from_nodes(nodes)


def _read_small(data: list[dict[str, Any]]) -> dict[int, tuple[str, str]]:
    small = {WHOLE.read(x["k"]): PAIR.read([x["lower"], x["upper"]]) for x in data}
    if len(small) < len(data):
        raise ValueError("a degree occurs twice")
    return small


def _read_ends(data: Any) -> tuple[EndClaim, EndClaim] | None:
    if data is None:
        return None
    plus, minus = (
        EndClaim(
            integer(end["grid"], 0, 1000),
            tuple(record(DiscClaim, x) for x in end["discs"]),
        )
        for end in (data["+1"], data["-1"])
    )
    return plus, minus


def _law(data: Mapping[str, str], parity: int, part: Statement | None) -> ParityClaim:
    """The law of one parity, which is that of a part if there is one."""
    if (data["kind"] == PART) != (part is not None):
        raise ValueError("a law of a part without the part, or with another law")
    if part is None:
        return read_law(data)
    return part.odd if parity else part.even
