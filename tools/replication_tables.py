#!/usr/bin/env python3
"""Writes the results of the lab to docs/replication.md, where one table per paper replaces the previous one.

  tendril lab && tools/replication_tables.py out/lab/lab.json

A line above the tables describes the run. If a claim is in several files, the last one counts.
"""
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/replication.md"
BEGIN, END = "<!-- tables: made by tools/replication_tables.py -->", "<!-- end of tables -->"
PAPERS = {
    "mueller12": "Follow-the-leader: [Mueller12]",
    "sanchez15": "Shape and volume: [Sanchez15]",
    "rungjiratananon11": "Strings: [Rungjiratananon11]",
    "zappe20": "The tractrix: [Zappe20]",
    "boercsoek20": "Position based dynamics: [Boercsoek20]",
}


def result_of(claim):
    text = f"**{claim['verdict']}.** {claim['measured'] or claim['problem']}"
    if claim["verdict"] != "holds" and claim["reason"]:
        reason = claim["reason"].rstrip(".")
        text += f" *Why: {reason}.*"
    return text.replace("|", "\\|").replace("\n", " ")


def table_of(claims):
    yield "| where | what is claimed | claim | scene | result |"
    yield "|---|---|---|---|---|"
    for claim in claims:
        named = claim["scenes"] or [use["scene"] for use in claim["run"]]
        scenes = ", ".join(f"`{scene}`" for scene in named)
        yield f"| {claim['place']} | {claim['title']} | `{claim['name']}` | {scenes} | {result_of(claim)} |"


def conditions_of(run):
    """Returns a description of the run."""
    command = "tendril lab --full" if run["full"] else "tendril lab"
    sizes = "the papers' sizes" if run["full"] else "quick sizes"
    threads = f"{run['threads']} thread{'s' if run['threads'] > 1 else ''}"
    return f"by `{command}` ({sizes}), version {run['version']}, {run['simd']}, {threads}"


def tables_of(claims):
    for paper, heading in PAPERS.items():
        own = [claim for claim in claims if claim["name"].startswith(paper + "/")]
        if own:
            yield from ["", f"## {heading}", "", *table_of(own)]


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    runs = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    claims, conditions = {}, {}
    for run in runs:
        for claim in run["claims"]:
            claims[claim["name"]] = claim
            conditions[claim["name"]] = conditions_of(run)
    made = "; ".join(f"{how} ({count} of {len(claims)} claims)" for how, count in Counter(conditions.values()).items())
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    lines = [before + BEGIN, "", f"Measured: {made}.", *tables_of(claims.values()), "", END + after]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    held = sum(claim["verdict"] == "holds" for claim in claims.values())
    print(f"docs/replication.md: {len(claims)} claims, {held} hold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
