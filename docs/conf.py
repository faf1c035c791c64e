"""How the pages are built: sphinx-build -W -b html docs docs/_build/html"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import make_gallery  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

from asymptok import __version__  # noqa: E402

project = "asymptok"
author = "The asymptok developers"
copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_mathml", "sphinx_docstrings"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_generated"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

# quotation marks in docstrings are Python
smartquotes = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False
python_display_short_literal_types = True
maximum_signature_line_length = 88

html_theme = "furo"
html_title = "asymptok"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["asymptok.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7fb2ec", "color-brand-content": "#7fb2ec"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", lambda _: make_gallery.write(HERE / "_generated"))
