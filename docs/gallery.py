"""Writes docs/gallery.md and its pictures, one for each scene of models/, with build/sinew."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "gallery"

# what is shown of a scene: options of `sinew render`
SCENES = {
    "arm_muscles.xml": "--key curl --time 0.2",
    "boxes.xml": "--time 1",
    "car.xml": "--key cruise",
    "cradle.xml": "--key lifted --time 0.15",
    "engine.xml": "--key running",
    "gripper.xml": "--key hold --show contactforce",
    "humanoid.xml": "",
    "manipulator.urdf": "",
    "quadruped.xml": "--key stand --time 0.1 --show contactforce",
    "rope.xml": "--time 0.6",
    "swimmer.xml": "--key beat --time 0.4",
}


def title(path: Path) -> str:
    """The comment at the head of a scene."""
    comment = re.search(r"<!--(.*?)-->", path.read_text(), re.S)
    text = " ".join(comment.group(1).split()) if comment else path.stem
    return text.split(". ")[0].rstrip(".")


def main() -> None:
    models = sorted(p for p in (ROOT / "models").iterdir() if p.suffix in (".xml", ".urdf"))
    unknown = {p.name for p in models} ^ set(SCENES)
    if unknown:
        sys.exit(f"docs/gallery.py and models/ differ: {', '.join(sorted(unknown))}")
    PICTURES.mkdir(exist_ok=True)
    page = ["# Gallery", "", "The scenes of `models/`, drawn by the command under each picture. `./dev docs` writes this page.", ""]
    for path in models:
        out = f"docs/gallery/{path.stem}.png"
        command = f"sinew render models/{path.name} {SCENES[path.name]} --size 480x360".replace("  ", " ")
        subprocess.run(["build/" + command.split()[0], *command.split()[1:], "-o", out], cwd=ROOT, check=True, capture_output=True)
        page += [f"## {path.stem}", "", f"{title(path)}.", "", f"![{path.stem}](gallery/{path.stem}.png)", "", f"    {command} -o {path.stem}.png", ""]
    (ROOT / "docs" / "gallery.md").write_text("\n".join(page).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
