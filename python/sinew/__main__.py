"""`python -m sinew`: the command sinew, which the package contains."""

import os
import sys
from pathlib import Path


def main() -> None:
    command = Path(__file__).parent / "bin" / "sinew"
    if not command.exists():
        sys.exit("python -m sinew: this package was built without the command")
    os.execv(command, [str(command), *sys.argv[1:]])


if __name__ == "__main__":
    main()
