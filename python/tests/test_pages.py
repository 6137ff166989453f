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
