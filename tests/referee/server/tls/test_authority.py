"""The authority of `serve --tls-ca`: who can rely on it, for what, and for how long."""

from __future__ import annotations

import ipaddress
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from referee.server.startup_banner import ListeningAddresses, startup_text
from referee.server.tls import authority as tls_authority
from referee.server.tls.certificate import BadCertificate, Certificate, read_certificate
from tests.referee.server.tls_server import NOW, make_authority, sign_certificate

NAMES = ("localhost", "127.0.0.1", "laptop", "laptop.local", "192.168.7.5")


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def verified(leaf: Path, ca: Path, name: str) -> bool:
    """Return True if a client that trusts this authority takes the certificate for a server of this name."""
    try:
        subject: x509.DNSName | x509.IPAddress = x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        subject = x509.DNSName(name)
    verifier = PolicyBuilder().store(Store([read(ca)])).time(NOW).build_server_verifier(subject)
    try:
        verifier.verify(read(leaf), [])
    except VerificationError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_the_certificate_is_good_for_every_address_of_the_computer(tmp_path: Path, name: str) -> None:
    file, _ = tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    assert verified(file, tls_authority.certificate_of_ca(tmp_path), name)


def test_keys_are_for_nobody_else_to_read(tmp_path: Path) -> None:
    tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    folder = tls_authority.folder_of(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    kept = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert kept == dict.fromkeys(("ca.pem", "ca.key", "server.pem", "server.key"), "0o600")


@pytest.mark.parametrize("name", ["bank.example", "203.0.113.9", "laptop.example", "com"])
def test_whoever_steals_its_key_vouches_for_no_server_of_the_internet(tmp_path: Path, name: str) -> None:
    tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    ca = read(tls_authority.certificate_of_ca(tmp_path))
    stolen = serialization.load_pem_private_key(
        (tls_authority.folder_of(tmp_path) / "ca.key").read_bytes(), password=None
    )
    assert isinstance(stolen, ec.EllipticCurvePrivateKey)
    good, _ = sign_certificate(tmp_path, (ca, stolen), "192.168.9.9")
    assert verified(good, tls_authority.certificate_of_ca(tmp_path), "192.168.9.9")
    forged, _ = sign_certificate(tmp_path, (ca, stolen), name)
    assert not verified(forged, tls_authority.certificate_of_ca(tmp_path), name)


def test_addresses_of_the_internet_are_left_out_of_the_certificate(tmp_path: Path) -> None:
    file, key = tls_authority.make_certificate(tmp_path, [*NAMES, "203.0.113.9", "2001:db8::1"], now=NOW)
    assert read_certificate(file, key, now=NOW).names == (
        "localhost",
        "laptop",
        "laptop.local",
        "127.0.0.1",
        "192.168.7.5",
    )


def test_the_next_start_keeps_both_and_a_new_address_renews_the_certificate_alone(tmp_path: Path) -> None:
    file, _ = tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    ca, first = read(tls_authority.certificate_of_ca(tmp_path)), read(file)
    tls_authority.make_certificate(tmp_path, NAMES[:3], now=NOW + timedelta(days=1))
    assert read(file) == first
    tls_authority.make_certificate(tmp_path, [*NAMES, "10.0.0.8"], now=NOW + timedelta(days=1))
    assert read(file) != first
    assert read(tls_authority.certificate_of_ca(tmp_path)) == ca
    assert verified(file, tls_authority.certificate_of_ca(tmp_path), "10.0.0.8")


def test_a_certificate_near_its_end_and_one_without_its_key_are_made_anew(tmp_path: Path) -> None:
    file, key = tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    first = read(file)
    later = NOW + tls_authority.LASTS - timedelta(days=20)
    tls_authority.make_certificate(tmp_path, NAMES, now=later)
    assert read(file).not_valid_after_utc > later + timedelta(days=300)
    key.unlink()
    tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    assert read_certificate(file, key, now=NOW)
    assert read(file) != first


def test_a_torn_authority_is_made_anew_instead_of_stopping_the_evening(tmp_path: Path) -> None:
    file, _ = tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    (tls_authority.folder_of(tmp_path) / "ca.key").write_bytes(b"torn")
    tls_authority.make_certificate(tmp_path, NAMES, now=NOW)
    assert verified(file, tls_authority.certificate_of_ca(tmp_path), "laptop.local")


def test_a_certificate_that_cannot_be_used_is_refused_in_one_sentence(tmp_path: Path) -> None:
    ca, ca_key, _ = make_authority(tmp_path)
    file, key = sign_certificate(tmp_path, (ca, ca_key), "club.example.org")
    _, other_key = sign_certificate(tmp_path, (ca, ca_key), "other.example.org")
    old, old_key = sign_certificate(tmp_path, (ca, ca_key), "old.example.org", ends=timedelta(days=-1))
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    cases = [
        (tmp_path / "nowhere.pem", key, "There is no file"),
        (file, other_key, "cannot be used together"),
        (text, key, "cannot be used together"),
        (key, key, "cannot be used together"),
        (old, old_key, "renew it"),
    ]
    for certificate, its_key, words in cases:
        with pytest.raises(BadCertificate, match=words):
            read_certificate(certificate, its_key, now=NOW)


def test_browsers_trust_what_an_authority_of_the_system_has_signed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ca, ca_key, trusted = make_authority(tmp_path)
    file, key = sign_certificate(tmp_path, (ca, ca_key), "club.example.org")
    assert not read_certificate(file, key, now=NOW).is_public
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    assert read_certificate(file, key, now=NOW).is_public


def test_the_hall_is_sent_to_the_name_in_the_certificate_when_the_address_is_not_in_it() -> None:
    certificate = Certificate(Path("c"), Path("k"), ("*.example.org", "club.example.org"), is_public=True)
    place = ListeningAddresses("0.0.0.0", 443, ("192.168.7.5",), is_open=True, certificate=certificate)  # noqa: S104
    assert (place.hall, place.local) == ("https://club.example.org:443", "https://club.example.org:443")
    covered = Certificate(Path("c"), Path("k"), ("192.168.7.5", "localhost"), is_public=False)
    place = ListeningAddresses("0.0.0.0", 8000, ("192.168.7.5",), is_open=True, certificate=covered)  # noqa: S104
    assert (place.hall, place.local) == ("https://192.168.7.5:8000", "https://localhost:8000")


def test_the_welcome_tells_how_devices_come_to_trust_it() -> None:
    certificate = Certificate(Path("c"), Path("k"), ("192.168.7.5", "localhost"), is_public=False)
    place = ListeningAddresses("0.0.0.0", 8000, ("192.168.7.5",), is_open=True, certificate=certificate)  # noqa: S104
    text = startup_text(place, "https://localhost:8000/enter/x/", "utf-8", "AB:CD")
    assert "https://192.168.7.5:8000/ca/" in text
    assert "AB:CD" in text
    assert "/ca/" not in startup_text(place, "link", "utf-8")
