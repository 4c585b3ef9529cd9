"""Platforms of a kit: which wheels fit, and what environment markers say there."""

from __future__ import annotations

from dataclasses import dataclass

PYTHONS = ("3.14", "3.13", "3.12", "3.11")
"""Versions of Python for which a kit brings packages, in the order in which the starters look for them."""
_OLDEST_GLIBC = 28  # Debian 10, Ubuntu 20.04, Fedora 29 and newer
_EARLIER_NAMES = {"manylinux1": 5, "manylinux2010": 12, "manylinux2014": 17}


@dataclass(frozen=True)
class Platform:
    """One system and processor. `tags` are the platform tags of wheels, the best first."""

    name: str
    tags: tuple[str, ...]
    os_name: str
    sys_platform: str
    platform_system: str
    platform_machine: str

    def markers(self, python: str) -> dict[str, str]:
        """Return the values of the environment markers (PEP 508) for a version of Python such as 3.12."""
        return {
            "os_name": self.os_name,
            "sys_platform": self.sys_platform,
            "platform_system": self.platform_system,
            "platform_machine": self.platform_machine,
            "platform_release": "",
            "platform_version": "",
            "python_version": python,
            "python_full_version": f"{python}.0",
            "implementation_name": "cpython",
            "implementation_version": f"{python}.0",
            "platform_python_implementation": "CPython",
        }


def _linux_tags(machine: str) -> tuple[str, ...]:
    """Return the tags of all manylinux versions that fit."""
    named = [f"{name}_{machine}" for name, minor in _EARLIER_NAMES.items() if minor <= _OLDEST_GLIBC]
    return (*(f"manylinux_2_{minor}_{machine}" for minor in range(_OLDEST_GLIBC, 4, -1)), *named)


PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform("linux-x86_64", _linux_tags("x86_64"), "posix", "linux", "Linux", "x86_64"),
        Platform("linux-aarch64", _linux_tags("aarch64"), "posix", "linux", "Linux", "aarch64"),
        Platform("windows-x86_64", ("win_amd64",), "nt", "win32", "Windows", "AMD64"),
        Platform("macos-arm64", ("macosx_13_0_arm64",), "posix", "darwin", "Darwin", "arm64"),
    )
}
"""The platforms by name."""
