"""Run a command with compiled rules, for `make run` and `make run-postgresql`.

    with_compiled_rules.py COMMAND ...

If the present sources have not been compiled yet, the command runs with interpreted rules, and a background process
compiles them for the next start. It needs a C compiler and Python's headers. `COMPILED=0` turns this off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import compile_rules
from compile_rules import ROOT, compiled_tree

LOG = "build/compile.log"
OFF = "COMPILED=0 turns this off."


def missing() -> str:
    """Return what is missing for compiling; empty: nothing."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if sys.platform != "win32" and shutil.which(compiler) is None:
        return f"a C compiler ({compiler}) is missing"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers (Python.h) are missing"
    return ""


def usable_tree(root: Path) -> Path | None:
    """Return the compiled rules of the present sources. Otherwise print why there are none, and start to compile."""
    tree = compiled_tree(root)
    if tree.is_dir():
        os.utime(tree)
        return tree
    failed = tree.with_suffix(".failed")
    if failed.exists():
        print(f"The rules run interpreted: compiling them failed ({LOG}). {OFF}", file=sys.stderr)
    elif reason := missing():
        print(f"The rules run interpreted: {reason}. {OFF}", file=sys.stderr)
    else:
        start_compiling(root, failed)
        print(
            f"The rules run interpreted now. A background process compiles them for the next start ({LOG}). {OFF}",
            file=sys.stderr,
        )
    return None


def start_compiling(root: Path, failed: Path) -> None:
    """Start a background process that compiles the rules and continues after this program."""
    failed.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--background", str(failed)]
    with (root / LOG).open("ab") as log:
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def compile_in_background(failed: Path) -> int:
    """Compile with low priority. After a failure, create a file so that these sources are not compiled again."""
    if sys.platform != "win32":
        os.nice(19)
    status = compile_rules.main([])
    if status:
        failed.touch()
    return status


def main() -> None:
    """Replace this process by the command."""
    if sys.argv[1] == "--background":
        sys.exit(compile_in_background(Path(sys.argv[2])))
    command = sys.argv[1:]
    if os.environ.get("COMPILED", "1") not in ("", "0"):
        tree = usable_tree(ROOT)
        if tree:
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
    sys.stderr.flush()
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
