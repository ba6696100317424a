"""``python -m boardkeeper``: the command line."""

import sys

from boardkeeper.terminal.main import main

sys.exit(main())
