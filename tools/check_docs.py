#!/usr/bin/env python3
"""Checks the Markdown files of the repository and prints every error with its file and line:
  - a link must point to an existing file, and its anchor to a heading of that file;
  - a path in backticks that begins with a folder of the repository, such as `src/world/world.cpp`, must exist;
  - every page of docs/ must be in the navigation of mkdocs.yml;
  - every row of docs/replication.md must have one of the four verdicts, and README.md must have their counts;
  - the version must be the same in CMakeLists.txt, CITATION.cff and CHANGELOG.md;
  - with --program: the rows of docs/replication.md must match the claims of `tendril lab --list`.

Pictures in docs/pictures are rendered by tools/doc_pictures.sh. A link to one is valid if the script lists it.

  tools/check_docs.py [--program build/release/bin/tendril]
"""
import argparse
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import replication_tables

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "apps bench cmake docs examples fuzz include lab scenes src tests tools".split()
SKIPPED = {"build", "out", "node_modules", ".git"}

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"`[^`]*`")
PATH = re.compile(r"`((?:%s)/[\w./-]*\w)`" % "|".join(FOLDERS))
CLAIM = re.compile(r"`([a-z]+\d\d/\w+)`")


def pages():
    found = (path for path in ROOT.rglob("*.md") if not SKIPPED & set(path.relative_to(ROOT).parts))
    return sorted(found)


def lines_of(page):
    """Yields the lines outside of fenced and indented code, with their numbers."""
    fenced, blank = False, True
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not (line.startswith("    ") and blank):
            yield number, line
            blank = not line.strip()


def slug(heading):
    """Returns the anchor of a heading. GitHub and mkdocs agree if words are separated by single spaces or hyphens."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def anchors(page):
    return {slug(line.lstrip("#")) for _, line in lines_of(page) if re.match(r"#+ ", line)}


def made_pictures():
    """Returns the pictures that tools/doc_pictures.sh can render, from the list that it prints."""
    script = ROOT / "tools/doc_pictures.sh"
    listed = subprocess.run([script, "--list"], capture_output=True, text=True, check=True)
    return {ROOT / "docs/pictures" / name for name in listed.stdout.split()}


def link_faults(page, line, pictures):
    for target in LINK.findall(CODE.sub("", line)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists() and path not in pictures:
            yield f"'{target}' does not exist"
        elif anchor and (path.suffix != ".md" or anchor not in anchors(path)):
            yield f"'{name or page.name}' has no heading '#{anchor}'"
        elif page.is_relative_to(ROOT / "docs") and not path.is_relative_to(ROOT / "docs"):
            yield f"'{target}' is not in docs/ and therefore not part of the site; write its path in backticks"


def path_faults(page, line):
    for name in PATH.findall(line):
        # A path may omit the extension, as in `src/solvers/dftl`, and may be relative to the page.
        exists = (ROOT / name).exists() or (page.parent / name).exists()
        if not exists and not list((ROOT / name).parent.glob(Path(name).name + ".*")):
            yield f"`{name}` does not exist"


def navigation_faults():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        if not re.search(rf"[ :]{re.escape(page.name)}$", text, re.M):
            yield f"mkdocs.yml: '{page.name}' is not in the navigation"


def verdict_faults():
    verdicts = replication_tables.verdicts_in((ROOT / "docs/replication.md").read_text(encoding="utf-8"))
    remedy = "run tendril lab and tools/replication_tables.py"
    for verdict in sorted(set(verdicts) - set(replication_tables.VERDICTS)):
        yield f"docs/replication.md: '{verdict}' is not a verdict of the lab; {remedy}"
    if replication_tables.counts_in((ROOT / "README.md").read_text(encoding="utf-8")) != \
            replication_tables.counts_sentence(verdicts):
        yield f"README.md: the counts of the verdicts are not those of docs/replication.md; {remedy}"


def version_faults():
    version = re.search(r"project\(tendril VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    citation, changes = ((ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "CHANGELOG.md"))
    cited = re.search(r"^version: (\S+)$", citation, re.M)
    if not cited or cited[1] != version:
        yield f"CITATION.cff: the version is not that of CMakeLists.txt, {version}"
    listed = re.search(r"^## \[([\d.]+)\] - (\S+)$", changes, re.M)
    if not listed or listed[1] != version:
        yield f"CHANGELOG.md: the first version is not that of CMakeLists.txt, {version}"
    elif listed[2] != "unreleased" and f"\ndate-released: {listed[2]}\n" not in citation:
        yield f"CITATION.cff: date-released is not the date in CHANGELOG.md, {listed[2]}"


def claim_faults(program):
    listed = subprocess.run([program, "lab", "--list"], capture_output=True, text=True, check=True)
    claims = {line.split()[0] for line in listed.stdout.splitlines() if line.strip()}
    text = (ROOT / "docs/replication.md").read_text(encoding="utf-8")
    rows = set(CLAIM.findall("\n".join(line for line in text.splitlines() if line.startswith("|"))))
    yield from (f"docs/replication.md: the claim `{name}` is missing" for name in sorted(claims - rows))
    yield from (f"docs/replication.md: the lab has no claim `{name}`" for name in sorted(rows - claims))


def main():
    parser = argparse.ArgumentParser(description="Checks the Markdown files of the repository.")
    parser.add_argument("--program", help="the tendril program, to compare its claims with docs/replication.md")
    options = parser.parse_args()
    pictures = made_pictures()
    faults = []
    for page in pages():
        for number, line in lines_of(page):
            for fault in [*link_faults(page, line, pictures), *path_faults(page, line)]:
                faults.append(f"{page.relative_to(ROOT)}:{number}: {fault}")
    faults += [*navigation_faults(), *verdict_faults(), *version_faults()]
    if options.program:
        faults += claim_faults(options.program)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
