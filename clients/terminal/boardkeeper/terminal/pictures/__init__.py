"""Boards as pictures, drawn as the browser client draws them, without a browser.

One script, made of the browser client's own stage and skins (``clients/web/src/pictures``), writes a table as SVG. It
runs in an engine for JavaScript that is a package of Python; another package makes PNG of it. Both come with
``pip install 'boardkeeper[pictures]'``.
"""
