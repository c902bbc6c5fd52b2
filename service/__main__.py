"""`python -m service` is the command `pocha`."""

import sys

from service.cli.main import main

sys.exit(main())
