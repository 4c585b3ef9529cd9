"""Software bill of materials of a release in CycloneDX, with the hashes of the lock file."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from email.message import Message

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.utils import canonicalize_name

from referee.release.licences import find_licence
from referee.release.lock import Pin


def make_sbom(program: Message, packages: Iterable[Message], pins: Iterable[Pin], when: datetime) -> str:
    """Return the document as JSON.

    `program` and `packages` are the metadata of the wheels, `when` is the time of the commit. The serial number derives
    from the contents, so that the same commit gives the same bytes.
    """
    hashes = {(pin.name, pin.version): pin.hashes for pin in pins}
    main = _component(program, hashes, ComponentType.APPLICATION)
    found = {str(each.purl): each for each in (_component(package, hashes) for package in packages)}
    components = [found[address] for address in sorted(found)]
    content = "\n".join(sorted((str(main.purl), *found, *(each for pin in hashes.values() for each in pin))))
    bom = Bom(components=components, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, content))
    bom.metadata.component = main
    bom.metadata.timestamp = when
    bom.register_dependency(main, components)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _component(
    metadata: Message,
    hashes: Mapping[tuple[str, str], tuple[str, ...]],
    kind: ComponentType = ComponentType.LIBRARY,
) -> Component:
    name, version = canonicalize_name(str(metadata["Name"])), str(metadata["Version"])
    address = PackageURL("pypi", None, name, version)
    files = (each.partition(":")[2] for each in hashes.get((name, version), ()))
    return Component(
        name=name,
        version=version,
        type=kind,
        purl=address,
        bom_ref=str(address),
        licenses=[DisjunctiveLicense(name=find_licence(metadata))],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=each) for each in files],
    )
