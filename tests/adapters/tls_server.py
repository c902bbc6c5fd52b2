"""A Postgres that is reached over TCP with TLS and a password alone, as a provider's is."""

import asyncio
import datetime
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.adapters.embedded_postgres import EmbeddedPostgres, account, programs
from service.adapters.postgres.connection import connect
from service.application.ports import StoreUnavailable

PASSWORD = "hunter2"  # noqa: S105 - of the tests


@contextmanager
def tls_server(folder: Path) -> Generator[tuple[int, Path]]:
    """Run one in `folder`, and give its port on 127.0.0.1 and its certificate; the role is `shop`, the database `postgres`."""
    with EmbeddedPostgres(folder) as address:
        asyncio.run(_make_role(address))
    runs_as = account.of_server(folder / "postgres/data")
    usable = programs.for_account(programs.find(None, None), runs_as, folder / "postgres/programs")
    certificate, key = make_certificate(folder)
    runs_as.take(key)
    port = _free_port()
    hba = folder / "hba.conf"
    hba.write_text("hostssl all all 127.0.0.1/32 scram-sha-256\n")
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": port,
        "unix_socket_directories": "",
        "ssl": "on",
        "ssl_cert_file": certificate,
        "ssl_key_file": key,
        "hba_file": hba,
    }
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [
                usable.bin / "postgres",
                "-D",
                folder / "postgres/data",
                *(f"--{name}={value}" for name, value in settings.items()),
            ],
            user=runs_as.user,
            group=runs_as.group,
            extra_groups=runs_as.extra_groups,
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            asyncio.run(_wait_for(port))
            yield port, certificate
        finally:
            process.terminate()
            process.wait(30)


async def _make_role(address: str) -> None:
    connection = await connect(address)
    await connection.execute(f"SET password_encryption = 'scram-sha-256'; CREATE ROLE shop LOGIN PASSWORD '{PASSWORD}'")
    await connection.close()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pocha tests")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "server.crt", folder / "server.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    files[0].chmod(0o644)
    files[1].chmod(0o600)
    return files


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


async def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            await (await connect(f"postgresql://shop:{PASSWORD}@127.0.0.1:{port}/postgres")).close()
        except StoreUnavailable:
            assert time.monotonic() < deadline, "Postgres with TLS did not start"
            await asyncio.sleep(0.05)
        else:
            return
