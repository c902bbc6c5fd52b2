"""How background tasks outlast errors."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from service.application.ports import StoreUnavailable


@contextmanager
def outlasting(logger: logging.Logger, failure: str) -> Generator[None]:
    """Let the task go on after an error in the `with` block, logged as `failure`. The store's connections log their outages."""
    try:
        yield
    except StoreUnavailable:
        pass
    except Exception:
        logger.exception(failure)
