"""Sphinx settings of the documentation site, for ``make docs`` (tools/build_docs.py)."""

from importlib.metadata import version as version_of

project = "Boardkeeper"
author = "The Boardkeeper authors"
copyright = author  # Sphinx calls it so
version = release = version_of("boardkeeper")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
myst_ref_domains = ["std"]  # otherwise Sphinx also searches C++ for every link, a tenth of the build time
autodoc_member_order = "bysource"
autodoc_typehints = "description"
nitpicky = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["search_in_files.js"]
html_title = f"Boardkeeper {version}"
html_logo = html_favicon = "static/logo.svg"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
