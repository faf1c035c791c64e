"""Texts that must be refused: attempts to run code, to exhaust the machine, and plain mistakes."""

from __future__ import annotations

_RUN_CODE = """
__import__('os').system('true')
__import__("os").system("true")
__import__(os)
eval('1')
exec('1')
eval(u)
exec(u)
compile(u, u, u)
open('/etc/passwd')
open(u)
print(u)
input()
breakpoint()
exit()
quit()
help()
globals()
locals()
vars()
dir()
id(u)
type(u)
type(u)(1)
getattr(u, 'func')
setattr(u, 1, 2)
delattr(u, 1)
object()
super()
isinstance(u, u)
sympify('1')
sympify(1)
parse_expr('1')
S('1')
Symbol('x')
Symbol(x)
Function('f')(u)
Lambda(u, u)
lambdify(u, u)
Integral(u, u)
Sum(u, (u, 0, 1))
Limit(u, u, 0)
solve(u, u)
factorial(10)
factorint(10**50)
isprime(7)
simplify(u)
expand((1+u)**9999)
nsimplify(u)
u.__class__
u.__class__.__mro__
u.__class__.__bases__[0].__subclasses__()
u.__init__.__globals__
u.func
u.subs(u, 1)
u.evalf()
u.evalf
u.args[0]
u.real
().__class__
(1).__class__
(u).diff(u)
[].__class__
[].append
1 .real
1..real
1.0.hex()
''.join
"".__class__
np.__class__
np.__builtins__
np.linalg.norm(u)
np.linalg
np.load(u)
np.fromfile(u)
np.ctypeslib
np.sqrt.__class__
np.sqrt.__call__(u)
np.pi.real
np.eval(u)
numpy.core
numpy.frompyfunc(u, 1, 1)
math.__loader__
math.factorial(9)
math.inf
math.nan
math.tau
np.inf
sp.sympify(u)
sp.Symbol(u)
sp.__import__(u)
sympy.parse_expr(u)
sympy.sympify(u)
sympy.exec(u)
os.system(u)
sys.exit()
builtins.eval(u)
subprocess.run(u)
sin.__globals__
sin.eval(u)
sin(u).func
sin(u).args
sin(u)(u)
sin(sin)
sin(exp)
sin(np)
np
np.sqrt
math
sympy
sin
sqrt
sin.cos
sin.cos(u)
u(u)
u()
u(1)(2)
pi(u)
E(u)
(u)(u)
(u+1)(u)
(sin)(u)(u)
2(u)
2.5(u)
(lambda: 1)()
lambda: 1
lambda x: x
lambda
u if u else 1
1 if True else 0
u or 1
u and 1
not u
u is u
u is not u
u in u
1 in [1]
[x for x in u]
[u for u in (1, 2)]
(x for x in u)
{x for x in u}
{x: x for x in u}
{}
{u}
{u: 1}
{**u}
[*u]
(*u, 1)
*u
**u
sin(*u)
sin(**u)
sin(*[1])
sin(x=1)
sin(u, evaluate=False)
exp(arg=u)
log(u, base=2)
x := 1
(x := 1)
(u := 2)
x = 1
u = 1
u == 1
u != 1
u += 1
u <> 1
import os
from os import system
import os; os.system('true')
u; u
u;
del u
pass
return u
raise u
assert u
global u
nonlocal u
yield
(yield)
yield u
(yield u)
yield from u
await u
(await u)
async u
class A: pass
def f(): pass
for x in u: pass
while 1: pass
with u: pass
try: u
if u: u
match u: case 1: pass
@u
print u
exec "1"
`u`
f'{u}'
f"{u}"
f'{__import__("os")}'
f''
'u'
"u"
'''u'''
b'u'
b"u"
r'u'
u'u'
u"u"
br'u'
'' 'a'
'a' * 10**9
'a' + u
'%s' % u
...
Ellipsis
None
True
False
True + 1
-True
sin(True)
sin(None)
sin(False)
NotImplemented
__debug__
__name__
__file__
__builtins__
__doc__
_
__
_u
u_
u1
u u
u[0]
u[1:2]
u[:]
u[::]
u[...]
u['a']
u[u]
[1][0]
(1, 2)[0]
sin[u]
sin[0](u)
[1, 2]
[1]
[]
()
(,)
(1,)
(1, 2)
1, 2
u,
,u
,
u:int
u: int = 1
u -> u
u => u
u ? 1 : 0
u!
!u
u!r
$u
u$
@
u @ u
u // 2
u % 2
u & 1
u | 1
u ^ 2
u^2
u ^ u
~u
~1
u << 2
u >> 2
1 << 10**9
u <<= 2
u ** = 2
u * * 2
u */ 2
u /* 2
u // comment
u # comment
# comment
#
/* u */
\\
u \\
u\\
\\u
\\frac{1}{2}
\\sqrt{u}
$\\sqrt{1-u}$
"""

_NUMBERS_AND_VALUES = """
1j
2J
1.5j
1e3j
u + 1j
sqrt(2j)
0x10
0b101
0o17
1_000
1__0
1_
_1
007
01
1.2.3
1..2
.
..
.e1
1e
1e+
1e-
e1e
1ee5
1.e
1e5.5
1 000
1 2
2u
2 u
2pi
2sin(u)
3(u)
(1)(2)
(u)u
u(2)
)(
u 2
1e9999
1e-9999
1e1000000000
1e-1000000000
1e99999999999999999999999
9e1001
oo
-oo
inf
Inf
nan
NaN
zoo
Infinity
I
I*u
sqrt(-1)*I
1/0
u/0
1/(1-1)
1/(u-u)
0**-1
0**(-1/2)
0/0
(1-1)/(2-2)
0**-u*0**-1
1/0.0
1/sin(0)
1/sin(pi)
1/(sqrt(2)**2 - 2)
1/(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))
1/(cos(1)**2 + sin(1)**2 - 1)
log(0)
log(-1)
log(1-1)
log(-u/u)
log(2, 1)
log(2, 0)
log(2, -1)
log(u, 1)
log1p(-1)
log1p(-2)
log2(0)
log10(-1)
ln(0)
sqrt(-1)
sqrt(-u**2)
sqrt(-2)
(-1)**0.5
(-8)**(1/3)
(-1)**pi
(-1)**(1/2)
root(-1, 2)
root(u, 0)
root(u, -1)
root(u, 1/2)
root(u, u)
asin(2)
acos(2)
acos(-1.0001)
arccos(3)
acosh(0)
acosh(0.5)
atanh(1)
atanh(-1)
atanh(2)
arctanh(1)
tan(pi/2)
cot(0)
sec(pi/2)
csc(0)
csc(pi)
gamma(0)
gamma(-1)
gamma(-7)
besselk(0, 0)
besselk(1, -1)
bessely(0, 0)
bessely(1, -2)
besselj(1/2, -1)
polylog(2, 2)
polylog(1, 1)
polylog(0, 1)
polylog(-1, 1)
hyper([1, 1], [2], 1)
hyper([1, 1], [3], 2)
hyper([1], [0], 1/2)
hyper([1], [-1], 1/2)
LambertW(-1)
LambertW(-1/2)
elliptic_k(1)
elliptic_k(2)
elliptic_e(2)
ellipk(1.5)
kappa(1, 2)
kappa0(-2)
kappa1(1.01)
kappa(-1, u)
kappa(1/2, u)
kappa(u, u)
kappa(10**9, u)
kappa(pi, u)
Rational(1, 0)
Rational(0, 0)
Rational(u, 2)
Rational(pi)
Rational(1, sqrt(2))
Rational('1/3')
Abs(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))
sign(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))
Max(sqrt(3 + 2*sqrt(2)), 1 + sqrt(2))
"""

_SHAPE = """
(
)
((
))
(u
u)
(u))
((u)
[u
u]
[u)
(u]
{u)
(u}
sin(
sin(u
sin u
sin(u))
sin((u)
sin)
sin(]
sin(u,
sin(,u)
sin(u,,u)
sin(u,)
sin(u u)
sin()
sin(u, u)
exp()
exp(u, 1)
log()
log(u, 2, 3)
sqrt()
sqrt(u, 2)
cbrt()
root(u)
power(u)
power(u, 2, 3)
Rational()
Rational(1, 2, 3)
gamma()
gamma(u, 1)
besselk(u)
besselk(1, u, 2)
besselj()
polylog(u)
polylog(2)
hyper()
hyper([1], [2])
hyper(1, 2, u)
hyper([1], 2, u)
hyper([1], [2], [u])
hyper([[1]], [2], u)
hyper([u > 0], [1], u)
LambertW()
LambertW(u, 0, 1)
LambertW(u, -1)
elliptic_k()
elliptic_e(u, u)
Abs()
Abs(u, u)
sign()
Min()
Max()
Max([u, 1])
Max((u, 1))
kappa(u)
kappa()
kappa(1, u, 2)
kappa0()
kappa1(1, u)
Piecewise()
Piecewise(u)
Piecewise((u))
Piecewise((u, 1))
Piecewise((u, u))
Piecewise((u, False))
Piecewise((u, None))
Piecewise((u, u > 0, 1))
Piecewise([u, u > 0])
Piecewise((u, 1 > 2))
Piecewise((u, (u > 0)), ())
Piecewise((u, u == 0), (1, True))
Piecewise((u, u > 0 and u < 1), (1, True))
Piecewise((u, not u > 0), (1, True))
Piecewise((u > 0, u))
Piecewise((1, sin(u)), (2, True))
Piecewise(((1, 2), True))
Piecewise((1, u < (2 < 3)), (0, True))
Piecewise((1/0, u > 0), (1, True))
where()
where(u)
where(u > 0)
where(u > 0, 1)
where(u, 1, 2)
where(1, u, u)
where(u > 0, 1, 2, 3)
where(u == 0, 1, 2)
where(u > 0, u > 1, 2)
where(sqrt(3 + 2*sqrt(2)) < 1 + sqrt(2), 1, 2)
u < 1
0 < u < 1
u > 0 > 1
u <= 1
u >= -1
(u < 1)*u
1 + (u > 0)
sin(u > 0)
+
-
*
/
**
+ +
u +
u -
u *
u /
u **
u ** +
* u
/ u
** u
u * / u
u + * u
u ** * u
u - ) u
(+)
(u +)
(* u)
-
--
-(
<
u <
< u
u < < u
u .
. u
u . u
u..u
.u
u.
u.1
1.u
sin.
sin.(u)
np.
np.(u)
np..sqrt(u)
np.1
np.[u]
.sqrt(u)
np.np.sqrt(u)
math.np.sqrt(u)
u.sqrt(u)
v
x
y
t
k
d
c
foo
gama
lambda_
alpha*u
exp(-c*u)
u + v
uu
U
Pi
PI
sen(u)
sine(u)
Sin(u)
SIN(u)
Exp(u)
Sqrt(u)
sqr(u)
arcos(u)
acoss(u)
arcsine(u)
tg(u)
expp(u)
logg(u)
Log(u)
bessel(1, u)
BesselK(1, u)
kappa2(u)
kappa_0(u)
Kappa0(u)
ntk(3)
relu(u)
dot(u, u)
sum(u)
prod(u)
floor(u)
ceil(u)
round(u)
int(u)
float(u)
complex(1, 2)
bool(u)
str(u)
bytes(9)
list(u)
range(10**9)
conjugate(u)
re(u)
im(u)
arg(u)
diff(u)
integrate(u)
limit(u)
series(u)
DiracDelta(u)
"""

_HUGE = """
9**9**9
9**9**9**9
2**10**8
2**2**2**2**2**2
(1/3)**(10**9)
(1/3)**(-10**9)
10**10**10
10**-10**10
10**5000
1/10**5000
(10**900)**100
1.5**(10**7)
0.1**(10**7)
2**-(10**9)
(-2)**(10**9)
(2*u)**(10**9)
(u/3)**(10**9)
(2*u + 2)**(10**8)
((2*u)**1000)**1000
(((3*u)**99)**99)**99
(sqrt(2)*u)**(10**8)
(2*u*pi)**(10**8)
(1 + u)**(10**9)
u**(10**1000)
2**(u + 10**9)
2**(10**9*u)
2**(10**9 + pi)
2**(10**9*pi)
(2**(1/10**6))**(10**15)
pi**(10**9)
E**(10**9)
e**(10**9)
exp(10**9)
exp(-10**9)
exp(exp(exp(100)))
exp(-exp(exp(100)))
exp(exp(exp(exp(9))))
exp(log(2)*10**8)
exp(10**12*log(2))
exp(u + log(2)*10**12)
exp(log(2)*10**12 + log(3)*10**12 + u)
exp(-log(2)*10**12)
E**(u + 10**12*log(2))
expm1(10**12*log(2))
exp(10**12*log(u))
sinh(10**9)
cosh(10**9)
cosh(-10**9)
gamma(10**9)
gamma(1000000)
gamma(1001)
gamma(1/2 + 10**6)
gamma(-1/2 - 10**6)
gamma(10**6*pi)
gamma(gamma(gamma(9)))
besselj(10**9, 1)
besselj(10**9, u)
bessely(10**9, 1)
besseli(10**9, 1)
besselk(10**9, 1)
besselk(-10**9, u)
besseli(1, 10**9)
besselk(1, 10**9)
besselk(1000, 1/10**900)
polylog(-10**6, 2)
polylog(-10**6, u)
polylog(10**6, 1)
polylog(-10**6 - 1, 1)
polylog(10**6, -1)
hyper([10**9], [2], u)
hyper([1], [10**9], u)
hyper([1], [2], 10**9)
hyper([1, 1], [2], -10**9)
kappa(2**70, u)
Rational(1, 10**5000)
Rational(10**5000, 3)
(10**900)**(1/3)
(10**900 + 1)**0.5
sqrt(10**999*u)
cbrt(10**900*u)
root(10**900, 7)
1/exp(10**5)
10**4000*10**4000
10**4000 + 1/7**4000 + 1/11**3000
(9**2000*u)**3
tan(10**900)
asin(sin(10**900))
Min(9**9**9, u)
Max(u, exp(10**9))
where(9**9**9 > 1, 1, 2)
Piecewise((9**9**9, u > 0), (1, True))
where(u > 9**9**9, 1, 2)
"""

_UNICODE = [
    "\u03b3*u",
    "\u03c0*u",
    "\u221e",
    "1 \u2212 u",
    "2\u00d7u",
    "2\u00b7u",
    "u\u00b2",
    "\u221au",
    "\u221a(1-u)",
    "\u0443",  # Cyrillic
    "c\u043es(u)",  # Cyrillic o
    "\uff55",  # fullwidth u, which Python would normalise
    "\uff53\uff49\uff4e(u)",
    "\u1d58",
    "\U0001d462",
    "\U0001d452xp(u)",
    "\uff11",
    "\u0661",
    "\u00bd*u",
    "1\u00a0+ u",
    "u\u200b",
    "\u200bu",
    "\ufeffu",
    "u\u2028",
    "u\u0085+1",
    "\u202eu",
    "e\u0301",
    "\u00e9",
    "\ud800",
    "u\udfff",
    "\ud83d\ude00",
    "\U0001f600",
    "u \u2264 1",
    "u\u20dd",
    "\u2160",
    "\u017fin(u)",  # long s, normalised to sin
    "\u210b",
    "__\u0456mport__(u)",
]

_CONTROL = [
    *(f"u{chr(code)}" for code in (*range(0x09), *range(0x0A, 0x20), 0x7F)),
    *(f"{chr(code)}u" for code in (0x00, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B)),
    "u\n+1",
    "u\r\n",
    "(u\n)",
    "u +\\\n1",
    "sin(\x00u)",
    "u\x00 + 1",
    "\x1b[31mu",
]

_BLANK = ["", " ", "\t", "   \t  ", " " * 5000]

_EXHAUST = [
    "(" * 101 + "u" + ")" * 101,
    "(" * 5000,
    "(" * 4999 + "u" + ")" * 4999,
    ")" * 5000,
    "[" * 200 + "]" * 200,
    "((" * 2000 + "u",
    "-" * 101 + "u",
    "-" * 1900 + "u",
    "+" * 9000 + "u",
    "- + " * 400 + "u",
    "-(" * 90 + "u" + ")" * 90,
    ("-" * 60 + "(") * 3 + "u" + ")" * 3,
    "**".join(["u"] * 150),
    "**".join(["2"] * 900),
    "**-".join(["u"] * 60),
    "u**(" * 90 + "u" + ")" * 90,
    "sin(" * 101 + "u" + ")" * 101,
    "sin(" * 3000 + "u",
    "Abs(1-" * 60 + "u" + ")" * 60,
    "sqrt((u-" * 20 + "u**2" + ")**2)" * 20,
    "Max(u,1-" * 20 + "u" + ")" * 20,
    "where(u>0,1," * 30 + "u" + ")" * 30,
    "Piecewise((u,u>0),(1-" * 20 + "u" + ",True))" * 20,
    "where(" * 20 + "u" + ">0,u,1)" * 20,
    "sign(u-" * 9 + "u**2" + ")" * 9,
    "Max(" + ",".join(f"u**{i}" for i in range(2, 200)) + ")",
    "Min(" + ",".join(f"sin({i}*u)" for i in range(2, 200)) + ")",
    "Max(" + ",".join(f"Max(u**{i},u)" for i in range(2, 60)) + ")",
    "Piecewise(" + ",".join(f"({i},u<{i})" for i in range(1, 60)) + ")",
    "+".join(f"Abs(u-1/{i})" for i in range(2, 90)),
    "hyper([" + ",".join(["1"] * 500) + "],[2],u)",
    "hyper([1],[" + ",".join(["2"] * 11) + "],u)",
    "sin(atan(" * 30 + "u" + "))" * 30,
    "tan(asin(" * 30 + "u" + "))" * 30,
    "sinh(acosh(" * 30 + "u" + "))" * 30,
    "polylog(-1," * 30 + "u" + ")" * 30,
    "polylog(0," * 40 + "u" + ")" * 40,
    "gamma(" * 20 + "9" + ")" * 20,
    "exp(" * 50 + "9" + ")" * 50,
    "(" * 50 + "9*u" + ")**9" * 50,
    "+".join(["u"] * 3000),
    "*".join(["u"] * 3000),
    "+".join(["1"] * 1100),
    "u" * 10_001,
    "u+" * 5000,
    "1" * 1001,
    "1" * 9999,
    "0." + "1" * 1001,
    "9" * 5000 + "**2",
    "1e" + "9" * 500,
    "1e-" + "9" * 500,
    "x" * 9000,
    "x" * 500 + "(u)",
    "*".join(["9**4000"] * 200),
    "+".join(f"1/(10**300+{i})" for i in range(60)),
    "*".join(["10**900"] * 50),
    "u" + " " * 10_000,
    "," * 3000,
    "f(" + "u," * 900 + "u)",
    "sin(" + "u," * 900 + "u)",
    "u." * 900 + "u",
    "np." * 600 + "pi",
    "u<" * 900 + "u",
    "where(" + "u<" * 900 + "u,1,2)",
    "'" * 5000,
    "{" * 5000,
    "lambda:" * 900 + "u",
    "not " * 900 + "u",
    "~" * 900 + "u",
    "u if " * 300 + "u",
]

_KEYWORDS = """
None True False and as assert async await break class continue def del elif else except finally
for from global if import in is nonlocal not or pass raise return try while with yield
"""
_NAMES = """
__import__ __builtins__ __class__ __dict__ __globals__ __subclasses__ eval exec open os sys
sympify Symbol lambdify
"""
_ATTRIBUTES = """
__class__ __dict__ __globals__ __reduce__ __getattribute__ __init_subclass__ _assumptions subs
xreplace replace doit free_symbols is_real name
"""
_WORDS = [
    *(f"{word}(u)" for word in _KEYWORDS.split()),
    *(f"u + {name}" for name in _NAMES.split()),
    *(f"u.{name}" for name in _ATTRIBUTES.split()),
]


def _lines(block: str) -> list[str]:
    return block.strip("\n").split("\n")


#: every text once, in the order above
HOSTILE: list[str] = list(
    dict.fromkeys(
        [
            *_lines(_RUN_CODE),
            *_lines(_NUMBERS_AND_VALUES),
            *_lines(_SHAPE),
            *_lines(_HUGE),
            *_UNICODE,
            *_CONTROL,
            *_BLANK,
            *_EXHAUST,
            *_WORDS,
        ]
    )
)
