"""Pictures of boards, drawn as the web client draws them, without a browser.

A script from the web client's sources (``clients/web/src/pictures``) draws a table as SVG. It runs in a JavaScript
engine for Python, and another Python package converts SVG to PNG. Both are in ``boardkeeper[pictures]``.
"""
