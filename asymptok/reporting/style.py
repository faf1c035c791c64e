"""The style sheet of the report: a page for a screen, a phone and paper."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """
:root { --ink: #1c2330; --soft: #5b6472; --line: #d9dee6; --tint: #f5f7fa; --accent: #1f5fa8;
  --yes: #1a7f4b; --no: #b3261e; --open: #8a6100; --paper: #fff; color-scheme: light; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e3e7ee; --soft: #a3adbb; --line: #39414d; --tint: #20262f; --accent: #7fb2ec; --paper: #161a20;
    --yes: #5cc98c; --no: #f08a80; --open: #e0b04a; color-scheme: dark; }
  figure svg { filter: invert(.9) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 54rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.6 "Source Serif 4", "Source Serif Pro", Charter, Georgia, Cambria, serif; }
header { border-bottom: 3px double var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .6rem 0; }
.sub { color: var(--soft); margin: .2rem 0; }
nav { font-size: .9rem; margin-top: .8rem; color: var(--soft); }
nav a { margin-right: 1rem; white-space: nowrap; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
math { font-family: "Latin Modern Math", "STIX Two Math", STIXMath, "Cambria Math", "Libertinus Math", math;
  font-size: 1.08em; line-height: 2.1; }
.display { margin: .8rem 0; padding: .55rem .9rem; background: var(--tint); border-left: 3px solid var(--accent);
  overflow-x: auto; overflow-y: hidden; }
.display math { font-size: 1.15em; line-height: 2.6; }
.note, .asymptok-note { color: var(--soft); font-size: .92rem; }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums lining-nums;
  border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
table math { font-size: 1em; line-height: 1.5; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--ink); padding: .4rem .8rem .4rem 0;
  vertical-align: bottom; white-space: nowrap; }
td { padding: .28rem .8rem .28rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
table.facts { width: 100%; border: 0; }
table.facts th, table.facts td { vertical-align: top; border-bottom: 1px solid var(--line);
  padding: .4rem .8rem .4rem 0; overflow-wrap: anywhere; }
table.facts th { font-weight: 400; color: var(--soft); padding-right: 1.4rem; }
table.facts tr:last-child th { border-bottom: 0; }
table.facts math { math-style: normal; line-height: 2; }
.badge { display: inline-block; font: 600 .78rem/1.5 system-ui, sans-serif; padding: 0 .5em; border-radius: 3px;
  border: 1px solid currentColor; color: var(--open); white-space: nowrap; }
.badge.proved, .badge.yes, .badge.supported { color: var(--yes); } .badge.refuted, .badge.no { color: var(--no); }
figure { margin: 1.2rem 0; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .3rem; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem;
  overflow-x: auto;
  font: .84rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .88rem; }
@media (max-width: 36rem) {
  body { padding: 1.2rem .9rem 3rem; }
  h1 { font-size: 1.5rem; }
  table { font-size: .85rem; }
  table.facts, table.facts tbody, table.facts tr, table.facts th, table.facts td { display: block; }
  table.facts th { border: 0; padding: .5rem 0 0; }
  table.facts td { padding: 0 0 .5rem; overflow-x: auto; }
}
@media print {
  @page { size: A4; margin: 16mm 15mm; }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; line-height: 1.45; }
  nav { display: none; }
  h2 { break-after: avoid; margin-top: 1.6rem; }
  h2 + p, h3 { break-after: avoid; }
  td { padding-top: .12rem; padding-bottom: .12rem; }
  figure svg { width: 100%; max-height: 20cm; }
  figure, tr, .display { break-inside: avoid; }
  .display, .wide, pre { overflow: visible; }
  pre { white-space: pre-wrap; font-size: 7.5pt; border: 0; padding: 0; background: none; }
  a { color: inherit; }
}
""".strip()
