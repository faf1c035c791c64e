r"""The kernel of a theorem in LaTeX: networks by their recursion, means by the activation, others by the formula.

Formulas are cut into the lines of a column, and parts that are too long for a line get names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sympy import Expr, Piecewise, Rational, S, Symbol

from asymptok import dag
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.kernels.duals import as_activation
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.networks import ntk, random_features
from asymptok.proofs.making import making_data
from asymptok.show.formula import expression, to_latex
from asymptok.show.measure import line_width

__all__ = ["ended", "stated_kernel"]

#: points of a formula in the text, of a line of a display, and of a part of it that has no name
_INLINE, _LINE, _PART = 150.0, 205.0, 150.0
#: points of one with fractions, which are higher than a line
_FRACTION = 70.0
#: a part that occurs more than once has a name from this width on
_SHARED = 45.0
#: subexpressions beyond which a kernel is told by its making
_LONG = 20
#: digits of a number that has no name
_DIGITS = 8


def stated_kernel(kernel: Kernel) -> tuple[str, str]:
    """The kernel, as a part of a sentence, and the functions that occur in it."""
    told = _rectified(kernel.expr)
    if told is not None:
        return told
    making = kernel.mean.making if kernel.mean else None
    if making and making.call in _MADE and dag.tree_size(kernel.expr) > _LONG and making_data(kernel):
        return _MADE[making.call](making.given), ""
    return _formula(r"\kappa(u)", kernel.expr), _meaning(kernel.expr)


def ended(text: str, mark: str) -> str:
    """The text with a mark behind it, which belongs into a display at its end."""
    text = text.rstrip()
    end = "\n\\end{align*}"
    return f"{text.removesuffix(end)}{mark}{end}" if text.endswith(end) else text + mark


def _rectified(expr: Expr) -> tuple[str, str] | None:
    """The tangent kernel or the random features of a ReLU network of depth >= 3, perhaps divided by the depth."""
    arcs = [node.args[0] for node in dag.postorder(expr) if isinstance(node, ArcCosine)]
    depth = 1 + arcs.count(S.One)
    if depth < 3:
        return None
    for made, name in ((ntk, r"\Theta"), (random_features, r"\Sigma")):
        whole = made(depth).expr
        for scale, over in ((S.One, ""), (Rational(1, depth), rf"/{depth}")):
            if expr == scale * whole:
                step = r"\Sigma_{l+1} &= \kappa_1(\Sigma_l)"
                first = r"$\Sigma_1(u) = u$"
                if made is ntk:
                    first = r"$\Sigma_1(u) = \Theta_1(u) = u$"
                    step += r", \\" + "\n" + r"\Theta_{l+1} &= \kappa_0(\Sigma_l)\, \Theta_l + \Sigma_{l+1}"
                head = rf"$\kappa = {name}_{{{depth}}}{over}$, where {first} and"
                return f"{head}\n\\begin{{align*}}\n{step}\n\\end{{align*}}", _meaning(expr)
    return None


# means and networks --------------------------------------------------------------------------------------


def _dual(given: Mapping[str, object]) -> str:
    variance = given.get("variance", S.One)
    root = "" if variance == 1 else rf"\sqrt{{{to_latex(S(variance))}}} "
    return (
        rf"$\kappa(u) = E[\varphi({root}X)\varphi({root}Y)]$ for standard normal $X$, $Y$ with correlation $u$, "
        rf"{_activation(given)}"
    )


def _activation(given: Mapping[str, object]) -> str:
    return "where " + _formula(r"\varphi(x)", as_activation(given["activation"]).expr)


def _network(given: Mapping[str, object]) -> str:
    """The recursion of `kernels.architecture`."""
    depth, trained = int(S(given["depth"])), given["trained"]
    weight, bias, skip = given["weight_variance"], S(given["bias_variance"]), S(given["residual"]) ** 2
    block, own, above = r"\Sigma" if skip == 0 else "B", S(given.get("trained_bias", 0)), ""
    beta = "" if own == 0 else f" + {to_latex(own)}"

    def layer(constant: Expr, mean: str) -> str:
        factor = 1 - bias - skip if weight is None else S(weight)
        value = rf"\frac{{{mean}}}{{E[\varphi(X_l)^2]}}" if weight is None else mean
        return _plus(constant, _times(factor, value))

    lines = [rf"{block}_{{l+1}} &= {layer(bias, _MEAN)}"]
    if skip != 0:
        lines.append(r"\Sigma_{l+1} &= " + _times(skip, r"\Sigma_l") + r" + B_{l+1}")
    first = _plus(bias, _times(1 - bias if weight is None else S(weight), "u"))
    names, value = [block, r"\Sigma"][skip == 0 :], rf"\Sigma_{{{depth}}}"
    if given["tangent"]:
        lines.append(rf"F_l &= {layer(skip, _SLOPES)}")
        if isinstance(trained, list) and len(trained) < depth:
            factors = ("".join(f" F_{{{j}}}" for j in range(n, depth)) for n in trained)
            blocks = (f"({block}_{{{n}}}{beta})" if beta else f"{block}_{{{n}}}" for n in trained)
            value = " + ".join(map("".join, zip(blocks, factors, strict=True)))
        else:
            lines.append(rf"\Theta_{{l+1}} &= F_l \Theta_l + {block}_{{l+1}}{beta}")
            value = rf"\Theta_{{{depth}}}"
            names, above = (names, rf"$\Theta_1 = \Sigma_1{beta}$, ") if beta else ([r"\Theta", *names], "")
    start = above + "$" + " = ".join(f"{name}_1(u)" for name in names)
    steps = ", \\\\\n".join(lines)
    return (
        rf"$\kappa = {value}$, {ended(_activation(given), ',')} {start} = {first}$, and, with centred normal $X_l$, "
        rf"$Y_l$ of variance $\Sigma_l(1)$ and covariance $\Sigma_l(u)$,"
        + f"\n\\begin{{align*}}\n{steps}\n\\end{{align*}}"
    )


_MEAN, _SLOPES = r"E[\varphi(X_l)\varphi(Y_l)]", r"E[\varphi'(X_l)\varphi'(Y_l)]"


def _times(factor: Expr, text: str) -> str:
    return text if factor == 1 else rf"{to_latex(factor)}\, {text}"


def _plus(constant: Expr, text: str) -> str:
    return text if constant == 0 else f"{to_latex(constant)} + {text}"


_MADE = {"dual": _dual, "network": _network}


# formulas ------------------------------------------------------------------------------------------------


def _formula(left: str, expr: Expr) -> str:
    """left = expr in the text or in lines of its own, then what the names in it stand for."""
    short, numbers = _numbers(expr)
    text, parts = to_latex(short), dict[Symbol, Expr]()
    if line_width(f"${left} = {text}$") <= (_FRACTION if r"\frac" in text else _INLINE):
        shown = f"${left} = {text}$"
    else:
        short, parts = _parts(short)
        shown = _lines(left, short)
    where = [_lines(to_latex(name), part) for name, part in parts.items()]
    where += [f"${to_latex(name)} = {value}$" for name, value in numbers.items()]
    return _joined([shown, *where])


def _joined(formulas: Sequence[str]) -> str:
    """A formula, and after it what the names in it stand for."""
    first, *others = formulas
    marks = [ended(text, ",") for text in (first, *others[:-1])] if others else []
    return " ".join([marks[0], "where", *marks[1:], others[-1]]) if others else first


def _lines(left: str, expr: Expr) -> str:
    """A formula in the text, or cut in front of its operators."""
    formula = expression(expr)
    if line_width(f"${left} = {formula.latex()}$") <= (_FRACTION if r"\frac" in formula.latex() else _INLINE):
        return f"${left} = {formula.latex()}$"
    rows: list[str] = [""]
    for i, piece in enumerate(formula.pieces):
        text = type(formula)((piece,)).latex(continued=i > 0)
        if rows[-1] and line_width(f"${rows[-1]} {text}$") > _LINE:
            rows.append("{} ")
        rows[-1] += f" {text}"
    head = rf"{left} ={{}} &"
    if not expr.has(Piecewise) and line_width(f"${left} = {rows[0]}$") > _LINE + 40:
        head = rf"& {left} = \\ & \quad"  # a first line that is full without the left side
    body = " \\\\\n& \\quad ".join(row.strip() for row in rows)
    return f"\n\\begin{{align*}}\n{head} {body}\n\\end{{align*}}\n"


def _parts(expr: Expr) -> tuple[Expr, dict[Symbol, Expr]]:
    """The expression over names for what occurs in it more than once, or is too long for a line."""
    if expr.has(Piecewise):
        return expr, {}
    uses = Counter(child for node in dag.postorder(expr) for child in node.args)
    short: dict[Expr, Expr] = {}
    parts: dict[Symbol, Expr] = {}

    def name(part: Expr) -> Expr:
        if part.is_Atom:
            return part
        known = next((s for s, value in parts.items() if value == part), None)
        symbol = known or Symbol(f"v_{len(parts) + 1}", real=part.is_real)
        parts[symbol] = part
        return symbol

    for node in dag.postorder(expr):
        args = [short[child] for child in node.args]
        new = node.func(*args) if args else node
        while not new.is_Add and line_width(f"${to_latex(new)}$") > _PART:
            widest = max(args, key=lambda arg: 0.0 if arg.is_Atom else line_width(f"${to_latex(arg)}$"))
            if widest.is_Atom:
                break
            args[args.index(widest)] = name(widest)
            new = node.func(*args)
        again = uses[node] > 1 and line_width(f"${to_latex(new)}$") > _SHARED
        short[node] = name(new) if again else new
    return short[expr], parts


def _numbers(expr: Expr) -> tuple[Expr, dict[Symbol, str]]:
    """The expression with names for numbers of many digits, and these as decimals where they end."""
    long = [n for n in dag.postorder(expr) if n.is_Rational and len(str(n)) > _DIGITS]
    names = {n: Symbol(f"alpha_{i}", positive=True) for i, n in enumerate(dict.fromkeys(map(abs, long)), 1)}
    signed = {n: names[abs(n)] if n > 0 else -names[abs(n)] for n in long}
    return dag.rebuild(expr, signed) if long else expr, {name: _decimal(n) for n, name in names.items()}


def _decimal(x: Expr) -> str:
    """A positive number whose denominator divides a power of ten as a decimal, any other as a quotient."""
    p, q = map(int, x.as_numer_denom())
    places = next((i for i in range(1, 200) if 10**i % q == 0), None)
    if places is None or q == 1:
        return to_latex(x)
    digits = f"{p * 10**places // q:0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"


def _meaning(expr: Expr) -> str:
    """The definition of the arc-cosine functions and of Phi_2, where they occur."""
    nodes = list(dag.postorder(expr))
    orders = {int(node.args[0]) for node in nodes if isinstance(node, ArcCosine)}
    told = []
    if any(isinstance(node, Orthant) for node in nodes):
        told.append(r"$\Phi_2(h, k; u) = P(X > h, Y > k)$ for standard normal $X$, $Y$ with correlation $u$")
    if orders & {0, 1}:
        told.append(r"$\kappa_0(u) = 1 - \arccos(u)/\pi$")
    if 1 in orders:
        told.append(r"$\kappa_1(u) = u \kappa_0(u) + \sqrt{1-u^2}/\pi$")
    if orders - {0, 1}:
        told.append(
            r"$\kappa_n = J_n/J_n(0)$, $J_n(\theta) = \sin^{2n+1}\theta\, (\frac{d}{du})^n "
            r"\frac{\pi-\theta}{\sin\theta}$, $u = \cos\theta$"
        )
    return f"\n(Here {', and '.join(told)}.)" if told else ""
