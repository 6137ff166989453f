#!/usr/bin/env python3
"""bundle_libraries.py ROOT: copies the libraries that ROOT/bin/sinew needs beyond the C library into ROOT/lib, and starts the program
through a script that makes the loader find them there, so that the folder works anywhere."""
import pathlib
import re
import shutil
import subprocess
import sys

# part of every Linux system; another copy of these would not fit the loader or the drivers
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt)\.so")

root = pathlib.Path(sys.argv[1]).resolve()
program = root / "bin/sinew"
here = next(root.glob("lib*/**/libsinew.so.*")).parent
listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=True, env={"LD_LIBRARY_PATH": str(here)}).stdout
for name, path in re.findall(r"(\S+) => (\S+) \(", listing):
    if not OF_THE_SYSTEM.match(name) and not pathlib.Path(path).resolve().is_relative_to(root):
        shutil.copy(pathlib.Path(path).resolve(), here / name)
missing = re.findall(r"(\S+) => not found", listing)
if missing:
    sys.exit(f"libraries not found: {', '.join(missing)}")
(root / "libexec").mkdir(exist_ok=True)
program.rename(root / "libexec/sinew")
program.write_text(f"""#!/bin/sh
# finds the libraries of this folder, wherever it is
root=$(dirname "$(dirname "$(readlink -f "$0")")")
LD_LIBRARY_PATH="$root/{here.relative_to(root)}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" exec "$root/libexec/sinew" "$@"
""")
program.chmod(0o755)
