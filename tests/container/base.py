"""A stand-in for the official Python image, which cannot be had without its registry: Debian, made from its packages."""

import subprocess
from pathlib import Path

from tests.container.buildah import Buildah

_PACKAGES = "python3,python3-venv,ca-certificates"
_ARCHIVE = Path(__file__).parents[2] / "build" / "container" / "bookworm.tar"
_LAID_BY_THE_OFFICIAL_IMAGE = (
    "usr/local/bin/pip",
    "usr/local/bin/pip3",
    "usr/local/lib/python3.11/site-packages/pip/__init__.py",
    "usr/local/lib/python3.11/ensurepip/__init__.py",
)
"""Debian keeps its own elsewhere; these are here to see that they go."""


def plain_debian(folder: Path) -> Path:
    """Lay out a Debian with Python, git and make, as somebody has it who never made a virtual environment; return its root."""
    archive = _ARCHIVE.with_name("plain.tar")
    if not archive.exists():
        _bootstrap(archive, "python3,make,git,ca-certificates")
    root = folder / "root"
    root.mkdir()
    subprocess.run(["tar", "--extract", "--file", archive, "--directory", root, "--exclude=./dev/*"], check=True)
    return root


def make_base(buildah: Buildah, image: str, folder: Path) -> None:
    """Put the stand-in into the store under the name `image`. The packages are kept in `build/` for the next time."""
    if not _ARCHIVE.exists():
        _bootstrap(_ARCHIVE, _PACKAGES)
    extras = folder / "extras"
    for name in _LAID_BY_THE_OFFICIAL_IMAGE:
        path = extras / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    buildah.import_root(_ARCHIVE, image, extras)


def _bootstrap(archive: Path, packages: str) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    unfinished = archive.with_name("unfinished.tar")
    # A mirror may stand still, or be ahead of this machine's clock.
    dates = ["--aptopt=Acquire::Check-Valid-Until false", "--aptopt=Acquire::Check-Date false"]
    command = ["mmdebstrap", "--variant=minbase", f"--include={packages}", *dates, "bookworm", str(unfinished)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr
    unfinished.rename(archive)
