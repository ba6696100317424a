"""``python -m boardkeeper``: the command line."""

import sys

from boardkeeper.client.cli import main

sys.exit(main())
