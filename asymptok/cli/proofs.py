"""asymptok certify: a theorem with numbers about every eigenvalue, for people, for papers and for the checker."""

from __future__ import annotations

import argparse
import json

from asymptok.cli.answer import Answer, chosen_format
from asymptok.cli.expansions import title
from asymptok.cli.numbers import dimension
from asymptok.cli.subjects import one_kernel
from asymptok.proofs import certify as prove
from asymptok.reporting.certificates import certificate_blocks, small_table
from asymptok.show.blocks import Listing, Paragraph

__all__ = ["certify"]

YES, NO = 0, 1


def certify(options: argparse.Namespace) -> Answer:
    """Yes if every eigenvalue is enclosed, else no; --json is the certificate, --format latex the theorem."""
    d = dimension(options)
    kernel = one_kernel(options)
    found = prove(kernel, d)
    # the question is whether there is a proof
    code = YES if found.proved else NO
    if chosen_format(options) == "latex" and found.proved:
        text = found.theorem(document=True)
        return Answer((Listing(text),), lambda: None, code=code, verbatim=True)
    head = Paragraph((*title(kernel), f"; d = {d}"))
    return Answer(
        (head, *certificate_blocks(found)),
        lambda: json.loads(found.to_json()),
        code=code,
        sheet=lambda: small_table(found),
    )
