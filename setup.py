"""The package as a wheel: CMake builds the compiled part and the command, setuptools packs them with the Python sources and
the libraries that a machine need not have."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent

# in every Linux system that runs Python
SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so.*")


def libraries_of(binary):
    """The libraries that a program or module loads, directly or through others: path by name."""
    listed = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    missing = re.findall(r"(\S+) => not found", listed)
    if missing:
        raise SystemExit(f"{binary} needs {', '.join(missing)}")
    return {name: Path(path) for name, path in re.findall(r"(\S+) => (/\S+)", listed)}


def copy_with_license(name, path, folder):
    folder.mkdir(exist_ok=True)
    shutil.copy(path.resolve(), folder / name)
    if not shutil.which("dpkg-query"):
        return
    owner = subprocess.run(["dpkg-query", "-S", path.resolve()], capture_output=True, text=True).stdout.partition(":")[0]
    terms = Path("/usr/share/doc") / owner / "copyright"
    if owner and terms.is_file():
        shutil.copy(terms, folder / f"{name}.copyright")


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        # ./dev python names its own build folder, so that the engine is not compiled twice
        folder = Path(os.environ.get("SINEW_BUILD", ROOT / f"build-python-{sys.implementation.cache_tag}"))
        if "SINEW_BUILD" not in os.environ:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_TESTS=OFF"]
            options.append(f"-DSINEW_PYTHON_EXECUTABLE={sys.executable}")
            if shutil.which("ninja"):
                options += ["-G", "Ninja"]
            if shutil.which("ccache"):
                options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "sinew_python", "sinew_command", "--parallel"], check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        command = target.parent / "bin" / "sinew"
        command.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python" / "sinew" / target.name, target)
        shutil.copy(folder / "sinew", command)
        # both look for libraries there first
        for name, path in {**libraries_of(target), **libraries_of(command)}.items():
            if not SYSTEM.fullmatch(name):
                copy_with_license(name, path, target.parent / "libs")


setup(ext_modules=[Extension("sinew._sinew", [])], cmdclass={"build_ext": CMakeBuild})
