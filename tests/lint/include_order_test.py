#!/usr/bin/env python3
"""include_order.py passes the tree as it is and refuses one of each kind of wrong include."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

LINT = pathlib.Path(__file__).with_name("include_order.py")


def findings(files):
    """The lint's output on a tree of these files, {path: text}; empty where it passes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, "-B", LINT, folder], capture_output=True, text=True)
        assert run.returncode == bool(run.stdout), run.stderr
        return run.stdout


class IncludeOrder(unittest.TestCase):
    def test_the_tree_passes(self):
        run = subprocess.run([sys.executable, "-B", LINT], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, ""))

    def test_includes_along_the_order_pass(self):
        self.assertEqual(findings({"src/constraint/a.cpp": '#include "solver/solve.h"\n#include "sinew/data.h"\n',
                                   "src/solver/b.cpp": '#include "math/pack.h"\n#include "sinew/constants.h"\n'}), "")

    def test_an_include_against_the_order_is_refused(self):
        self.assertIn("src/solver/a.cpp:1: solver must not include constraint",
                      findings({"src/solver/a.cpp": '#include "constraint/kinds.h"\n'}))

    def test_the_solver_must_not_know_model_or_data(self):
        for header in ("sinew/model.h", "sinew/data.h"):
            self.assertIn(f"src/solver/a.h:2: solver must not know {header}",
                          findings({"src/solver/a.h": f'#pragma once\n#include "{header}"\n'}))

    def test_nor_through_another_header(self):
        files = {"include/sinew/step.h": '#include "sinew/load.h"\n', "include/sinew/load.h": "#include <sinew/data.h>\n",
                 "src/solver/a.cpp": '\n#include "sinew/step.h"\n'}
        self.assertIn("src/solver/a.cpp:2: solver must not know sinew/data.h: sinew/step.h -> sinew/load.h -> sinew/data.h",
                      findings(files))

    def test_the_solvers_private_headers_stay_inside(self):
        text = '#include "solver/tiles.h"\n'
        self.assertEqual(findings({"src/solver/a.cpp": text}), "")
        for folder in ("constraint", "derivative"):
            self.assertIn('"solver/tiles.h" is private to src/solver', findings({f"src/{folder}/a.cpp": text}))


if __name__ == "__main__":
    unittest.main()
