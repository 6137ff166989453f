"""What the pages show works."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_example_of_a_page_runs(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    example = re.search(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S).group(1)
    exec(example, {})
    assert "[" in capsys.readouterr().out
