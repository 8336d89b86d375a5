#!/usr/bin/env python3
"""Writes the results of the lab to docs/replication.md, where one table per paper replaces the previous one, and the
counts of its verdicts to README.md. tools/check_docs.py checks that both agree.

  tendril lab && tools/replication_tables.py out/lab/lab.json

A line above the tables describes the run. If a claim is in several files, the last one counts.
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE, README = ROOT / "docs/replication.md", ROOT / "README.md"
BEGIN, END = "<!-- tables: made by tools/replication_tables.py -->", "<!-- end of tables -->"
COUNTS_BEGIN, COUNTS_END = "<!-- counts: made by tools/replication_tables.py -->", "<!-- end of counts -->"
# As in lab/verdict.cpp, with the words of the counts, for one and for several claims.
VERDICTS = {
    "holds as printed": ("holds as printed", "hold as printed"),
    "holds with our method": ("holds with our method, which is named", "hold with our method, which is named"),
    "not met": ("is not met, for a reason that was checked", "are not met, for reasons that were checked"),
    "failed": ("failed", "failed"),
}
RESULT = re.compile(r"^\|.*\| \*\*([^*]+)\.\*\* ", re.M)
PAPERS = {
    "mueller12": "Follow-the-leader: [Mueller12]",
    "sanchez15": "Shape and volume: [Sanchez15]",
    "rungjiratananon11": "Strings: [Rungjiratananon11]",
    "zappe20": "The tractrix: [Zappe20]",
    "boercsoek20": "Position based dynamics: [Boercsoek20]",
}


def result_of(claim):
    text = f"**{claim['verdict']}.** {claim['measured'] or claim['problem']}"
    remarks = {"Our method": "our_method", "Any form": "any_form", "Why": "reason"}
    for label, key in remarks.items():
        if claim[key]:
            text += f" *{label}: {claim[key].rstrip('.')}.*"
    return text.replace("|", "\\|").replace("\n", " ")


def counts_sentence(verdicts):
    """Returns the sentence with the count of each verdict, also of those that no claim has."""
    counts = Counter(verdicts)
    parts = [f"{counts[verdict]} {words[counts[verdict] != 1]}" for verdict, words in VERDICTS.items()]
    return f"Of {len(verdicts)} claims, {'; '.join(parts)}."


def verdicts_in(page):
    """Returns the verdicts of the rows of docs/replication.md."""
    return RESULT.findall(page.split(BEGIN)[1].split(END)[0])


def counts_in(readme):
    """Returns the sentence in README.md."""
    return " ".join(readme.split(COUNTS_BEGIN)[1].split(COUNTS_END)[0].split())


def wrapped(sentence, columns=150):
    lines = [" "]
    for word in sentence.split():
        if len(lines[-1]) + 1 + len(word) > columns:
            lines.append(" ")
        lines[-1] += " " + word
    return "\n".join(lines)


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
    verdicts = [claim["verdict"] for claim in claims.values()]
    sentence = counts_sentence(verdicts)
    lines = [before + BEGIN, "", f"Measured: {made}. {sentence}", *tables_of(claims.values()), "", END + after]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    before, rest = README.read_text(encoding="utf-8").split(COUNTS_BEGIN)
    after = rest.split(COUNTS_END)[1]
    README.write_text(f"{before}{COUNTS_BEGIN}\n{wrapped(sentence)}\n  {COUNTS_END}{after}", encoding="utf-8")
    print(f"docs/replication.md, README.md: {sentence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
