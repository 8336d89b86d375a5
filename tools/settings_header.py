#!/usr/bin/env python3
"""Compares the comments in include/tendril/settings.h with the descriptions in docs/scene.md, or updates them.

    tools/settings_header.py           compares; exits with 1 if a comment differs or a setting has no field
    tools/settings_header.py --write   writes the comments

docs/scene.md is generated from src/settings, which describes every setting once. Fields that have no key, such as seeds,
keep their comments, and choices are documented by their enumeration.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / 'include/tendril/settings.h'
COLUMNS = 120
# Tables in docs/scene.md whose struct is not a member of WorldSettings with the same name.
WORLD = {'sim': 'WorldSettings'}


def described(text):
    """Returns {(table, key): (requirement, meaning)} from docs/scene.md."""
    found, table = {}, None
    for line in text.splitlines():
        heading = re.match(r'#+ \[\[?([\w.]+)\]', line)
        if heading:
            table = heading.group(1)
        row = re.match(r'\| `(\w+)`(?: \(`\w+`\))? \| (.*?) \| `.*?` \| (.*) \|$', line)
        if row and table:
            # When a key of a scene acts depends on other keys of the scene, not on the struct.
            meaning = re.sub(r' Acts only .*', '', row.group(3))
            found[table, row.group(1)] = (row.group(2), meaning)
    return found


def members(text, struct):
    """Returns the members of a struct that are structs themselves: {name: type}."""
    body = re.search(r'^struct %s {\n(.*?)^};' % struct, text, re.M | re.S).group(1)
    return {name: kind for kind, name in re.findall(r'^    (\w+Settings) (\w+)(?: = {})?;', body, re.M)}


def tables_of(text):
    """Returns {struct: table}, such as DftlSettings: solver.dftl."""
    tables = {}
    for name, struct in members(text, 'WorldSettings').items():
        tables[struct] = name
        for nested, inner in members(text, struct).items():
            tables[inner] = f'{name}.{nested}'
    return tables | {struct: table for table, struct in WORLD.items()}


def comment(requirement, meaning):
    """Returns the comment of a field: its meaning, with range and unit where the type does not imply them."""
    if requirement.startswith('"'):
        return ''  # documented by the enumeration
    limits = re.sub(r'^(an? (number|integer)|three numbers, (or one for downward, )?each) ?', '', requirement)
    known = requirement == 'true or false' or 'not all zero' in requirement
    text = meaning if known or not limits else f'{meaning} {limits[0].upper()}{limits[1:]}.'
    if text is not meaning:  # keep the range on one line
        text = f'{meaning} ' + f'{limits[0].upper()}{limits[1:]}.'.replace(' ', '\0')
    lines = textwrap.wrap(text.replace('`', ''), COLUMNS - len('    /// '), break_long_words=False, break_on_hyphens=False)
    return ''.join(f'    /// {line}\n' for line in lines).replace('\0', ' ')


def rewritten(text, settings):
    tables, used = tables_of(text), set()

    def of_struct(match):
        struct, body = match.group(1), match.group(2)
        table = tables.get(struct)
        if not table:
            return match.group(0)

        def of_field(field):
            key = (table, field.group('name'))
            if key not in settings:
                return field.group(0)
            used.add(key)
            return comment(*settings[key]) + field.group('code') + '\n'

        field = r'(?:^    ///[^\n]*\n)*^(?P<code>    [\w:]+ (?P<name>\w+)(?:\{[^}]*\}| = [^;{]*)?;)(?: +///<[^\n]*)?\n'
        return f'struct {struct} {{\n' + re.sub(field, of_field, body, flags=re.M) + '};'

    out = re.sub(r'^struct (\w+) {\n(.*?)^};', of_struct, text, flags=re.M | re.S)
    missing = [key for key in settings if key[0] in tables.values() and key not in used and key[0] != 'sim']
    return out, missing


def main():
    header = HEADER.read_text()
    settings = described((ROOT / 'docs/scene.md').read_text())
    wanted, missing = rewritten(header, settings)
    for table, key in missing:
        print(f'settings.h has no field for the setting {table}.{key}')
    if '--write' in sys.argv[1:]:
        HEADER.write_text(wanted)
    elif wanted != header:
        print('The comments in settings.h differ from docs/scene.md; run tools/settings_header.py --write')
        return 1
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
