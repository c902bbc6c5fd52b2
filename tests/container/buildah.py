"""Images built and run without an engine: by buildah, as root, with chroot for isolation, in a folder of our own."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

TOOLS = ("buildah", "mmdebstrap")
CHROOT = ("--isolation", "chroot")
_OF_THE_HOST = ("/etc/ssl/certs", "/etc/pip.conf")
"""How this machine reaches PyPI; the build sees it, the image does not keep it."""


def require_tools(*tools: str) -> None:
    """Skip the test where there is no way to build images; install what is missing where that can be done."""
    tools = tools or TOOLS
    if os.geteuid() != 0:
        pytest.skip("to build an image without an engine takes root")
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-q"], check=False, capture_output=True, timeout=300)
        install = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *missing]
        subprocess.run(install, check=False, capture_output=True, timeout=600)
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        pytest.skip(f"not installed, and not to be had from apt: {', '.join(missing)}")


class Buildah:
    """buildah with a store of its own under `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = ["--root", f"{folder}/store", "--runroot", f"{folder}/run", "--storage-driver", "overlay"]

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of a call."""
        return ["buildah", *self._store, *arguments]

    def __call__(self, *arguments: str) -> str:
        """Call it, and return what it said.

        Raises:
            AssertionError: it failed.
        """
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False, timeout=1800)
        assert done.returncode == 0, f"buildah {' '.join(arguments)}:\n{done.stdout}\n{done.stderr}"
        return done.stdout.strip()

    def import_root(self, archive: Path, image: str, extras: Path) -> None:
        """Make an image of a root file system, and of the folder `extras` laid over it."""
        container = self("from", "scratch")
        self("add", "--quiet", container, str(archive), "/")
        self("add", "--quiet", container, str(extras), "/")
        self("config", "--env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
        self("commit", "--quiet", container, image)
        self("rm", container)

    def build(self, context: Path, image: str) -> None:
        """Build the Dockerfile of a folder; base images are taken from the store alone."""
        seen = [option for path in _OF_THE_HOST if Path(path).exists() for option in ("--volume", f"{path}:{path}:ro")]
        self("build", *CHROOT, "--pull-never", *seen, "--tag", image, str(context))

    def config(self, image: str) -> dict[str, Any]:
        """Return an image's configuration, as engines read it."""
        return json.loads(self("inspect", "--type", "image", image))["OCIv1"]["config"]

    def size(self, image: str) -> int:
        """Return an image's size in bytes."""
        return sum(
            path.lstat().st_size
            for path in Path(self.mount(self("from", "--pull-never", image))).rglob("*")
            if not path.is_symlink() and path.is_file()
        )

    def mount(self, container: str) -> str:
        """Return the folder where a container's files are."""
        return self("mount", container)

    def close(self) -> None:
        """Remove all that was made."""
        self("rm", "--all")
        self("rmi", "--all", "--force")
        subprocess.run(["umount", f"{self._folder}/store/overlay"], check=False, capture_output=True)
        # Nothing is deleted through a mount that was left.
        assert str(self._folder) not in Path("/proc/mounts").read_text()
        shutil.rmtree(self._folder)
