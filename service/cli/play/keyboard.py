"""Keys as they are pressed, in a terminal; lines where there is none."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

try:
    import termios
    import tty
except ImportError:  # Windows: keys are followed by Enter
    termios = tty = None

_END = "\x04"


@contextmanager
def keys_at_once() -> Generator[None]:
    """Get keys without Enter inside the block, where there is a terminal."""
    if termios is None or tty is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_key() -> str:
    """Return the next key; Enter is a line feed.

    Raises:
        EOFError: there are no more.
    """
    key = sys.stdin.read(1)
    if key in {"", _END}:
        raise EOFError
    return key


def read_choice(number: int, letters: str) -> str:
    """Return a number from 1 to `number`, or one of `letters`. More digits are waited for only where they can follow; Enter ends them."""
    digits = ""
    while True:
        key = read_key().lower()
        if key.isascii() and key.isdigit() and 1 <= int(digits + key) <= number:
            digits += key
            print(key, end="", flush=True)
            if int(digits) * 10 > number:
                return digits
        elif key in {"\n", "\r"} and digits:
            return digits
        elif key in letters and not digits:
            return key
        elif key in {"\x7f", "\b"} and digits:
            digits = digits[:-1]
            print("\b \b", end="", flush=True)
