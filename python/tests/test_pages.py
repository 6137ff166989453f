"""The code on the pages works."""

import re
from pathlib import Path

import pytest
import sinew

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/your_robot.md"])
def test_the_first_example_of_a_page_runs(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    example = re.search(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S).group(1)
    exec(example, {})
    assert "[" in capsys.readouterr().out


def test_every_function_has_a_description():
    for name in dir(sinew):
        function = getattr(sinew, name)
        if name.startswith(("mj_", "mju_", "mjd_", "set_mj", "get_mj")) and callable(function):
            lines = [line for line in (function.__doc__ or "").splitlines() if line.strip() and "->" not in line]
            assert lines, name


def test_every_scene_is_in_the_gallery():
    page = (ROOT / "docs" / "gallery.md").read_text()
    for scene in (ROOT / "models").iterdir():
        assert f"sinew render models/{scene.name} " in page, scene.name
        assert f"gallery/{scene.stem}.png" in page
        assert (ROOT / "docs" / "gallery" / f"{scene.stem}.png").stat().st_size < 100_000
