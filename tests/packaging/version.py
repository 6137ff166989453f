#!/usr/bin/env python3
"""version.py BUILD: the library, the command, Python, the wheel, CMake and pkg-config have one version."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1])


def found(path, pattern):
    match = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.M)
    return match[1] if match else "none"


def said(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment or None).stdout.strip()


versions = {
    "CMakeLists.txt": found("CMakeLists.txt", r"^project\(sinew VERSION ([\d.]+)"),
    "include/sinew/version.h": found("include/sinew/version.h", r'kVersion = "([\d.]+)"'),
    "pyproject.toml": found("pyproject.toml", r'^version = "([\d.]+)"'),
    "CHANGELOG.md": found("CHANGELOG.md", r"^## ([\d.]+)"),
    "sinew --version": said(BUILD / "sinew", "--version").split()[1],
    "the package": said("/usr/bin/python3", "-c", "import sinew; print(sinew.__version__)", PYTHONPATH=str(BUILD / "python")),
    "sinew.pc": found(BUILD / "sinew.pc", r"^Version: ([\d.]+)"),
    "sinewConfigVersion.cmake": found(BUILD / "sinewConfigVersion.cmake", r'PACKAGE_VERSION "([\d.]+)"'),
    "METADATA": found(BUILD / "METADATA", r"^Version: ([\d.]+)"),
}
wanted = versions["CMakeLists.txt"]
wrong = {place: version for place, version in versions.items() if version != wanted}
print(f"{wanted} in {len(versions)} places" if not wrong else f"{wanted}, but {wrong}")
sys.exit(bool(wrong))
