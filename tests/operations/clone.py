"""A clean clone of this project, and commands run in it as a new user's shell would."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
_MACHINE = ("PIP_CERT", "PIP_FIND_LINKS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "https_proxy")
"""What this machine needs to reach PyPI."""


def clone(folder: Path) -> Path:
    """Copy what is tracked, or would be, as it stands in the work tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def bare_environment(home: Path, path: str = os.defpath, **more: str) -> Mapping[str, str]:
    """Return an environment with nothing of ours but what the machine needs to reach PyPI."""
    machine = {name: os.environ[name] for name in _MACHINE if name in os.environ}
    return {"HOME": str(home), "PATH": path, **machine, **more}
