/// The panel with all settings of the scene. There are hundreds of rows, so tables are filled when they are first
/// opened.

import type { SceneKey, SceneTable } from '../../engine/types';
import { el, prose, setText } from '../dom';
import type { Session } from '../session';
import type { Changes } from './changes';
import { Row } from './row';
import { Tooltip } from './tooltip';

interface Section {
    element: HTMLDetailsElement;
    table: SceneTable;
    prefix: string; // "groom.0"
    body: HTMLElement;
    count: HTMLElement;
    rows: Map<string, Row> | null;
}

const openFirst = ['groom', 'solver'];
/// Tables that a groom may have for itself.
const groomTables = ['solver', 'shape', 'air', 'contact', 'look'];

export class TunePanel {
    readonly element = el('div', { class: 'tune' });
    readonly tooltip = new Tooltip();
    private readonly filter = el('input', {
        type: 'search',
        placeholder: 'Find a setting…',
        'aria-label': 'Find a setting by name or meaning',
        spellcheck: 'false',
    });
    private readonly onlyChanged = el('input', {
        type: 'checkbox',
        role: 'switch',
        'aria-label': 'Only changed settings',
    });
    private readonly groom = el('select', { 'aria-label': 'Grooms that the settings are for' });
    private readonly groomChoice = el('label', { class: 'groom-choice', hidden: true }, 'Settings of ', this.groom);
    private readonly list = el('div', { class: 'sections' });
    private readonly noMatches = el('p', { class: 'muted nothing', hidden: true }, 'No matching settings.');
    private sections: Section[] = [];
    private layout = '';
    private shown = false;
    private readonly open = new Set<string>();

    constructor(
        private readonly session: Session,
        private readonly changes: Changes,
    ) {
        const changedSwitch = el('label', { class: 'only-changed' }, this.onlyChanged, 'Changed');
        this.element.append(el('div', { class: 'tune-head' }, this.filter, changedSwitch), this.groomChoice, this.list,
            this.noMatches);
        this.groom.addEventListener('change', () => this.update());
        this.filter.addEventListener('input', () => this.applyFilter());
        this.onlyChanged.addEventListener('change', () => this.applyFilter());
        session.changed.on(() => this.shown && this.update());
        changes.waiting.on(({ key, waits }) => this.row(key)?.setWaiting(waits));
    }

    setShown(shown: boolean): void {
        this.shown = shown;
        if (shown) this.update();
        else this.tooltip.hide();
    }

    private row(key: string): Row | undefined {
        for (const section of this.sections) if (section.rows?.has(key)) return section.rows.get(key);
        return undefined;
    }

    /// Offers one entry per groom, if there are several.
    private updateGrooms(): void {
        const count = this.session.grooms();
        this.groomChoice.hidden = count < 2;
        if (this.groom.options.length === count + 1) return;
        const chosen = this.groom.selectedIndex;
        const option = (value: string, label: string) => el('option', { value }, label);
        const own = Array.from({ length: count }, (_, index) => option(String(index), `groom ${index}`));
        this.groom.replaceChildren(option('', 'all grooms'), ...own);
        this.groom.selectedIndex = chosen > count ? 0 : Math.max(chosen, 0);
    }

    private update(): void {
        this.updateGrooms();
        const prefixes = this.prefixes();
        const layout = prefixes.map(({ prefix }) => prefix).join(' ');
        if (layout !== this.layout) this.build(prefixes);
        this.layout = layout;
        for (const section of this.sections) {
            section.rows?.forEach((row) => row.update());
            const isChanged = ({ name }: SceneKey) => this.session.overridden(`${section.prefix}.${name}`);
            const changed = section.table.keys.filter(isChanged).length;
            setText(section.count, changed ? String(changed) : '');
            section.count.hidden = changed === 0;
        }
        if (this.filter.value || this.onlyChanged.checked) this.applyFilter();
    }

    /// A table of one groom, such as the shape of groom 1.
    private groomTable(name: string, groom: string): { table: SceneTable; prefix: string } {
        const all = this.session.engine.keys.find((table) => table.name === 'groom')!;
        const world = this.session.engine.keys.find((table) => table.name === name);
        const own = all.keys.filter((key) => key.group === name);
        const keys = own.map((key) => ({ ...key, name: key.name.slice(name.length + 1) }));
        const meaning = world?.meaning ?? 'How the strands of this groom look in pictures.';
        return { table: { name, meaning, repeated: false, keys }, prefix: `groom.${groom}.${name}` };
    }

    /// The prefixes of all sections: "solver", and "groom.0", "groom.1" for repeated tables. If one groom is chosen, its
    /// own tables stand in for the world's: "groom.0.solver".
    private prefixes(): { table: SceneTable; prefix: string }[] {
        const keys = this.session.keys();
        const groom = this.groomChoice.hidden ? '' : this.groom.value;
        if (groom !== '') return groomTables.map((name) => this.groomTable(name, groom));
        return this.session.engine.keys.flatMap((whole) => {
            const isOwn = (key: SceneKey) => whole.name === 'groom' && groomTables.includes(key.group);
            const table = { ...whole, keys: whole.keys.filter((key) => !isOwn(key)) };
            const numbers = new Set<string>();
            for (const key of keys) {
                const [name, number, rest] = key.split('.');
                if (name === table.name && rest !== undefined) numbers.add(number);
            }
            if (numbers.size) return [...numbers].map((number) => ({ table, prefix: `${table.name}.${number}` }));
            return keys.some((key) => key.startsWith(`${table.name}.`)) ? [{ table, prefix: table.name }] : [];
        });
    }

    private build(prefixes: { table: SceneTable; prefix: string }[]): void {
        const several = (table: SceneTable) => prefixes.filter((one) => one.table.name === table.name).length > 1;
        const firstTime = this.sections.length === 0;
        this.sections = prefixes.map(({ table, prefix }) => {
            const title = several(table) ? prefix.replace('.', ' ') : table.name;
            const meaning = el('p', { class: 'muted small' }, ...prose(table.meaning));
            const body = el('div', { class: 'section-body' }, meaning);
            const count = el('span', { class: 'count', hidden: true, title: 'changed settings' });
            const element = el('details', { class: 'section' }, el('summary', {}, el('span', {}, title), count), body);
            const section: Section = { element, table, prefix, body, count, rows: null };
            element.addEventListener('toggle', () => {
                if (element.open) this.fill(section);
                if (this.filter.value || this.onlyChanged.checked) return;
                if (element.open) this.open.add(prefix);
                else this.open.delete(prefix);
            });
            if (firstTime && openFirst.includes(table.name)) this.open.add(prefix);
            if (this.open.has(prefix)) element.open = true;
            return section;
        });
        this.list.replaceChildren(...this.sections.map((section) => section.element));
    }

    private fill(section: Section): void {
        if (section.rows) return;
        section.rows = new Map();
        for (const key of section.table.keys) {
            const full = `${section.prefix}.${key.name}`;
            if (this.session.value(full) === undefined) continue;
            const row = new Row(full, key, this.session, this.changes, this.tooltip);
            section.rows.set(full, row);
            section.body.append(row.element);
        }
    }

    private applyFilter(): void {
        const words = this.filter.value.toLowerCase().replace(/_/g, ' ').split(/\s+/).filter(Boolean);
        const filtering = words.length > 0 || this.onlyChanged.checked;
        let found = 0;
        for (const section of this.sections) {
            let inSection = 0;
            if (filtering) this.fill(section);
            for (const key of section.table.keys) {
                const full = `${section.prefix}.${key.name}`;
                const text = `${full.replace(/[._]/g, ' ')} ${key.meaning}`.toLowerCase();
                const fits = words.every((word) => text.includes(word));
                const shown = fits && (!this.onlyChanged.checked || this.session.overridden(full));
                const row = section.rows?.get(full);
                if (row) row.element.hidden = !shown;
                if (row && shown) ++inSection;
            }
            section.element.hidden = filtering && inSection === 0;
            section.element.open = filtering ? inSection > 0 : this.open.has(section.prefix);
            found += inSection;
        }
        this.noMatches.hidden = !filtering || found > 0;
    }
}
