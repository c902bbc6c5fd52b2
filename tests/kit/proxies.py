"""Real proxies in front of a server, each in a folder of its own; nothing of this machine's own set-up is read or written."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.waiting import wait_until

NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/errors warn;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    {http}
}}
"""


def program(name: str, package: str = "") -> str:
    """Return the path of a program; skip the test where it is missing."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if path is None:
        pytest.skip(f"{name} is not installed (apt-get install {package or name})")
    return path


@contextmanager
def nginx(folder: Path, http: str) -> Generator[Path]:
    """Run nginx with what stands in its `http` block, and return where it listens: `{socket}` there."""
    socket, settings = folder / "nginx.socket", folder / "nginx.conf"
    settings.write_text(NGINX.format(folder=folder, http=http.replace("{socket}", f"unix:{socket}")), encoding="utf-8")
    with _running([program("nginx", "nginx-light"), "-p", str(folder), "-c", str(settings)], folder, socket):
        yield socket


@contextmanager
def caddy(folder: Path, site: str) -> Generator[Path]:
    """Run Caddy with what stands in the block of its only site, and return where it listens."""
    socket, settings = folder / "caddy.socket", folder / "Caddyfile"
    settings.write_text(f"{{\n\tadmin off\n}}\nhttp:// {{\n\tbind unix/{socket}\n{site}\n}}\n", encoding="utf-8")
    with _running([program("caddy"), "run", "--adapter", "caddyfile", "--config", str(settings)], folder, socket):
        yield socket


@contextmanager
def _running(command: list[str], folder: Path, socket: Path) -> Generator[None]:
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (
        (folder / "output").open("wb") as output,
        subprocess.Popen(command, env={**os.environ, **home}, stdout=output, stderr=output) as process,
    ):
        try:
            wait_until(lambda: socket.exists() or process.poll() is not None)
            assert process.poll() is None, (folder / "output").read_text(encoding="utf-8")
            yield
        finally:
            process.kill()  # Caddy would wait for its connections
