"""The package as a wheel: CMake builds the compiled part, setuptools packs it with the Python sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        # ./dev python names its own build folder, so that the engine is not compiled twice
        folder = Path(os.environ.get("SINEW_BUILD", ROOT / f"build-python-{sys.implementation.cache_tag}"))
        if "SINEW_BUILD" not in os.environ:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_TESTS=OFF", "-DSINEW_TOOLS=OFF"]
            options.append(f"-DSINEW_PYTHON_EXECUTABLE={sys.executable}")
            if shutil.which("ninja"):
                options += ["-G", "Ninja"]
            if shutil.which("ccache"):
                options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "sinew_python", "--parallel"], check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python" / "sinew" / target.name, target)


setup(ext_modules=[Extension("sinew._sinew", [])], cmdclass={"build_ext": CMakeBuild})
