"""Local certificate authority of `serve --tls-ca`, valid for this computer only.

A device trusts everything that an installed authority signs. Therefore this one has name constraints, which devices
check: private addresses and this computer's own names. Its key never leaves the data folder.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CA_LASTS = timedelta(days=10 * 365)
LASTS = timedelta(days=397)  # some phones reject longer ones
RENEW_BEFORE = timedelta(days=30)
_EARLIER = timedelta(days=1)  # a phone's clock may be slow
_PRIVATE = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
Key = ec.EllipticCurvePrivateKey


def folder_of(data: Path) -> Path:
    """Return the folder of the authority and the certificate."""
    return data / "tls"


def certificate_of_ca(data: Path) -> Path:
    """Return the file that devices install."""
    return folder_of(data) / "ca.pem"


def fingerprint(path: Path) -> str:
    """Return the SHA-256 of a certificate as devices show it: `AB:CD:...`."""
    return x509.load_pem_x509_certificate(path.read_bytes()).fingerprint(hashes.SHA256()).hex(":").upper()


def make_certificate(data: Path, names: Sequence[str], *, now: datetime) -> tuple[Path, Path]:
    """Return the files of a certificate for these names and addresses and of its key; issue it only if needed.

    Names outside the authority's constraints (public addresses, other computers) are left out.
    """
    folder = folder_of(data)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ca, ca_key = _authority(folder, names, now)
    wanted = [name for name in _subject_names(dict.fromkeys(names)) if _is_permitted(name, ca)]
    file, key = folder / "server.pem", folder / "server.key"
    if not _is_good(file, key, ca, wanted, now):
        own_key = ec.generate_private_key(ec.SECP256R1())
        leaf = _sign_server(own_key, ca, ca_key, wanted, now)
        _write(key, _key_text(own_key))
        _write(file, _text(leaf) + _text(ca))
    return file, key


def _authority(folder: Path, names: Sequence[str], now: datetime) -> tuple[x509.Certificate, Key]:
    file, key_file = folder / "ca.pem", folder / "ca.key"
    try:
        ca = x509.load_pem_x509_certificate(file.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and ca.not_valid_after_utc - now > LASTS:
            return ca, key
    except (OSError, ValueError):
        pass
    key = ec.generate_private_key(ec.SECP256R1())
    ca = _sign_authority(key, names, now)
    _write(key_file, _key_text(key))
    _write(file, _text(ca))
    return ca, key


def _sign_authority(key: Key, names: Sequence[str], now: datetime) -> x509.Certificate:
    own = [name for name in names if not _as_address(name)]
    permitted: list[x509.GeneralName] = [x509.DNSName(name) for name in dict.fromkeys([*own, "local", "localhost"])]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in _PRIVATE]
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Multiplo, {now:%Y-%m-%d %H:%M}")])
    builder = _builder(title, title, key.public_key(), now, CA_LASTS)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs=True), critical=True)
    limits = x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None)
    builder = builder.add_extension(limits, critical=True)
    return builder.sign(key, hashes.SHA256())


def _sign_server(
    key: Key, ca: x509.Certificate, ca_key: Key, names: Sequence[x509.GeneralName], now: datetime
) -> x509.Certificate:
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Multiplo")])
    builder = _builder(title, ca.subject, key.public_key(), now, LASTS)
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_usage(signs=False), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
    return builder.add_extension(issuer, critical=False).sign(ca_key, hashes.SHA256())


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key)
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - _EARLIER).not_valid_after(now + lasts - _EARLIER)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _is_good(file: Path, key: Path, ca: x509.Certificate, wanted: Sequence[x509.GeneralName], now: datetime) -> bool:
    """Tell if the existing certificate is of this authority, not about to expire, and has all names."""
    try:
        leaf = x509.load_pem_x509_certificate(file.read_bytes())
        own_key = serialization.load_pem_private_key(key.read_bytes(), password=None)
        leaf.verify_directly_issued_by(ca)
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:  # any fault: a new certificate is issued
        return False
    lasts = leaf.not_valid_before_utc <= now and leaf.not_valid_after_utc - now > RENEW_BEFORE
    return lasts and own_key.public_key() == leaf.public_key() and set(wanted) <= set(names)


def _subject_names(names: Sequence[str] | dict[str, None]) -> list[x509.GeneralName]:
    found: list[x509.GeneralName] = []
    for name in names:
        address = _as_address(name)
        found.append(x509.DNSName(name) if address is None else x509.IPAddress(address))
    return found


def _as_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _is_permitted(name: x509.GeneralName, ca: x509.Certificate) -> bool:
    limits = ca.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    if isinstance(name, x509.IPAddress):
        networks = [ipaddress.ip_network(str(each.value)) for each in limits if isinstance(each, x509.IPAddress)]
        address = ipaddress.ip_address(str(name.value))
        return any(address in network for network in networks)
    suffixes = [each.value for each in limits if isinstance(each, x509.DNSName)]
    return any(name.value == suffix or name.value.endswith(f".{suffix}") for suffix in suffixes)


def _key_text(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _text(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically, readable by this user only."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
