"""Postgres's own programs, as an operator calls them."""

import subprocess

import pytest

from service.adapters.embedded_postgres import programs


def run(name: str, *arguments: str) -> None:
    """Run one of them to its end; skip the test where it is not installed beside the server."""
    program = programs.find(None, None).bin / name
    if not program.exists():
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
