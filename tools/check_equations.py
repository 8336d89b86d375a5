#!/usr/bin/env python3
"""Checks docs/equations.md and prints every error with its line:
  - every numbered equation and printed algorithm of the five papers must have a row in the table of its paper;
  - a file in backticks must exist, and the names in backticks right after it must occur in its code;
  - a test in backticks, such as `Dftl.NoSegmentStretchesInTheFall`, must be in tests/.

A row names what it covers in its first cell: "Eq. 5", "Eq. 1 to 3", "Eq. 11, 12", "Algorithm 2", "step 7" or "springs".

  tools/check_equations.py               checks the page
  tools/check_equations.py --self-test   tests the checker on small pages, each with one error
"""
import argparse
import re
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/equations.md"
HEAD = "| equation | what it says | as printed | ours | departure | test |"


def items(kind, last, first=1):
    return [f"{kind} {number}" for number in range(first, last + 1)]


# What the papers number, by the key in the heading of their table. [Zappe20] numbers the steps of one algorithm in
# section 2.2.3 and four algorithms, but none of its equations; those of springs are in section 2.2.1.
PRINTED = {
    "Mueller12": items("Eq.", 14),
    "Rungjiratananon11": items("Eq.", 8),
    "Sanchez15": [*items("Eq.", 15), "Algorithm 1"],
    "Zappe20": ["springs", *items("step", 9), *items("Algorithm", 4)],
    "Boercsoek20": [*items("Eq.", 10), "Algorithm 1"],
}

NUMBERS = r"\(?\d+\)?(?:\s*(?:,|and|to|-|–)\s*\(?\d+\)?)*"
KINDS = {"Eq.": r"\b(?:Eqs?\b\.?|Equations?)", "Algorithm": r"\b(?:Algorithms?|Alg\b\.?)", "step": r"\b[Ss]teps?"}
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+/[\w.-]+\.(?:cpp|h|inl|py|md|toml|ts|sh)")
NAME = re.compile(r"[A-Za-z_]\w*(?:::\w+)*(?:\(\))?")
TEST = re.compile(r"(?:\w+/)?([A-Z]\w*)\.([A-Z]\w*)(?:/\w+)?")
TEST_MACRO = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def numbers_in(text):
    """Returns the numbers of a list with ranges, such as "5, 7 to 9"."""
    found = []
    for first, last in re.findall(r"\(?(\d+)\)?(?:\s*(?:to|-|–)\s*\(?(\d+)\)?)?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def covered_by(cell):
    """Returns what the first cell of a row covers. A cell that begins with a number means equations."""
    text = re.sub(r"(?i)\b(?:sections?|fig(?:s|ures?)?\b\.?|tables?)\s*[\d.]+(?:(?:, | and | to )[\d.]+)*", "", cell)
    text = re.sub(r"\d+(?:\.\d+)+", "section", text)
    covered = {"springs"} if re.search(r"(?i)\bsprings?\b", text) else set()
    if re.fullmatch(rf"\s*{NUMBERS}\s*", text):
        text = "Eq. " + text
    for kind, word in KINDS.items():
        for found in re.finditer(rf"{word}\s*({NUMBERS})", text):
            covered |= {f"{kind} {number}" for number in numbers_in(found[1])}
    return covered


def cells_of(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def rows_by_paper(lines):
    """Returns the rows of the table of each paper, with their line numbers."""
    rows, paper = {}, None
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            paper = next((name for name in PRINTED if name in line), None)
        elif paper and line.startswith("|") and not re.match(r"\|[\s:-]+\||\| equation \|", line):
            rows.setdefault(paper, []).append((number, cells_of(line)))
    return rows


@lru_cache(None)
def code_of(path):
    """Returns the text of a file without comments."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S) if path.suffix in {".cpp", ".h", ".inl", ".ts"} else text


@lru_cache(None)
def tests_of(root):
    return {test for path in root.glob("tests/**/*.cpp")
            for test in TEST_MACRO.findall(path.read_text(encoding="utf-8"))}


def reference_faults(text, root):
    """Checks what is in backticks in a cell or a paragraph."""
    file, end = None, 0
    for found in CODE.finditer(text):
        code = found[1]
        follows = file and re.fullmatch(r"[\s,;/]*(?:and)?\s*", text[end:found.start()])
        end = found.end()
        if FILE.fullmatch(code):
            file = root / code
            if not file.is_file():
                yield f"`{code}` does not exist"
                file = None
        elif TEST.fullmatch(code) and code != "Suite.Test":
            if TEST.fullmatch(code).groups() not in tests_of(root):
                yield f"there is no test `{code}`"
        elif follows and NAME.fullmatch(code):
            name = code.removesuffix("()").split("::")[-1]
            if not re.search(rf"\b{name}\b", code_of(file)):
                yield f"`{file.relative_to(root)}` has no `{code}`"
        else:
            file = None


def faults_of(text, root):
    lines = text.splitlines()
    rows = rows_by_paper(lines)
    for paper, printed in PRINTED.items():
        covered = set().union(*(covered_by(cells[0]) for _, cells in rows.get(paper, [])))
        missing = [item for item in printed if item not in covered]
        if missing:
            yield 1, f"[{paper}]: no row for {', '.join(missing)}"
        for number, cells in rows.get(paper, []):
            if len(cells) != HEAD.count("|") - 1:
                yield number, f"the row has {len(cells)} cells instead of {HEAD.count('|') - 1}"
    for number, line in enumerate(lines, 1):
        for cell in cells_of(line) if line.startswith("|") else [line]:
            yield from ((number, fault) for fault in reference_faults(cell, root))


def self_test():
    """Each page has one error except the first; returns the number of pages that are judged wrongly."""
    row = "| {} | x | `tools/check_layers.sh` `folder_faults` | the same | | |"
    page = "\n".join(line for paper, printed in PRINTED.items()
                     for line in [f"## [{paper}]", HEAD, "|---|---|---|---|---|---|", *map(row.format, printed)])

    def changed(before, after):  # in the first row only
        return page.replace(before, after, 1)

    cases = {
        "": page,
        "[Mueller12]: no row for Eq. 1": changed("| Eq. 1 |", "| section 1 |"),
        "[Zappe20]: no row for springs, step 1": re.sub(r"\| (springs|step 1) \|", "| a part |", page),
        "the row has 5 cells": changed("| the same | | |", "| the same | |"),
        "`src/none.cpp` does not exist": changed("tools/check_layers.sh", "src/none.cpp"),
        "`tools/check_layers.sh` has no `no_faults`": changed("folder_faults", "no_faults"),
        "there is no test `Dftl.NeverWritten`": changed("| | |", "| | `Dftl.NeverWritten` |"),
    }
    wrong = 0
    for expected, text in cases.items():
        found = [fault for _, fault in faults_of(text, ROOT)]
        if not (expected in found[0] if len(found) == 1 and expected else found == [] and not expected):
            print(f"check_equations.py: expected '{expected}', found {found}")
            wrong += 1
    counts = {"Eq. 1 to 3": 3, "Eq. (11), (12)": 2, "5-8, 10": 5, "section 5.4": 0, "Algorithm 2, steps 1 to 3": 4,
              "Fig. 2, section 3.4": 0, "Eq. 9 (and Algorithm 1)": 2, "Eqs. 11 and 12": 2, "Eq. 1, 3.3": 1,
              "2.2.3, steps 1 to 9": 9, "2.2.1, angular springs": 1, "Eq. 10 \\|x\\|": 1}
    for cell, expected in counts.items():
        if len(covered_by(cell)) != expected:
            print(f"check_equations.py: '{cell}' covers {sorted(covered_by(cell))}")
            wrong += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Checks docs/equations.md.")
    parser.add_argument("--self-test", action="store_true", help="test the checker itself")
    if parser.parse_args().self_test:
        return 1 if self_test() else 0
    page = PAGE.read_text(encoding="utf-8")
    faults = [f"docs/equations.md:{number}: {fault}" for number, fault in faults_of(page, ROOT)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
