/// The open scene: the values that differ from its file, and its one or two simulations.

import type { Engine, Override, SceneInfo, SceneValue, Simulation } from '../engine/types';
import type { SceneSource } from './scenes';
import { Event } from './events';
import { findKey, fromToml, sameValue, toToml, worldKey } from './values';

/// Everything that undo restores and that a link contains, except for the camera.
export interface Setup {
    source: SceneSource;
    overrides: Override[];
    beside: string | null; // the solver of a second simulation
}

export const solverKey = 'solver.type';

export class Session {
    setup: Setup | null = null;
    simulations: Simulation[] = [];
    /// Increases whenever the layout of the drawn data changes, so that late frames can be recognized.
    generation = 0;
    /// The scene is being replaced. Time does not advance meanwhile.
    replacing = false;

    readonly opened = new Event<{ sameScene: boolean }>(); // the layout has changed
    readonly looksChanged = new Event<string>(); // by this key, while the simulation continues
    readonly changed = new Event(); // values, solver or scene
    readonly touched = new Event(); // redraw, even when paused

    private values: Record<string, SceneValue | null> = {};
    private readonly fileValues = new Map<string, SceneValue | null>();
    private queue: Promise<unknown> = Promise.resolve();

    constructor(readonly engine: Engine) {}

    get info(): SceneInfo | null {
        return this.simulations[0]?.info ?? null;
    }

    get solver(): string {
        return String(this.values[solverKey] ?? this.info?.solver ?? '');
    }

    /// The value of a key. A groom that does not set a key itself has the world's value.
    value(key: string): SceneValue | undefined {
        const world = worldKey(key);
        return this.values[key] ?? (world ? (this.values[world] ?? undefined) : undefined);
    }

    grooms(): number {
        return new Set((this.info?.strands ?? []).map((part) => part.groom)).size;
    }

    keys(): string[] {
        return Object.keys(this.values);
    }

    overridden(key: string): boolean {
        return this.setup?.overrides.some(([name]) => name === key) ?? false;
    }

    /// Opens a scene or another setup of it. If that fails, the old one continues.
    open(setup: Setup): Promise<void> {
        return this.inOrder(() => this.replace(setup));
    }

    /// Changes one value, written as in TOML.
    set(key: string, text: string): Promise<void> {
        return this.inOrder(() => this.change(key, text));
    }

    /// Resets one value to the one in the file.
    setBack(key: string): Promise<void> {
        return this.inOrder(async () => {
            const original = this.fileValues.get(key);
            if (original !== undefined && original !== null) return this.change(key, toToml(original, findKey(this.engine.keys, key)));
            const overrides = this.setup!.overrides.filter(([name]) => name !== key);
            return this.replace({ ...this.setup!, overrides });
        });
    }

    setBeside(solver: string | null): Promise<void> {
        return this.inOrder(() => this.replace({ ...this.setup!, beside: solver }));
    }

    /// Switches to another setup with the least work: changes single values of the same scene, opens the scene
    /// otherwise.
    goTo(setup: Setup): Promise<void> {
        return this.inOrder(async () => {
            const keys = this.differences(setup);
            const acts = (key: string) => findKey(this.engine.keys, key)?.live && this.textFor(setup, key) !== null;
            if (!keys || !(keys.length <= 1 || keys.every(acts))) return this.replace(setup);
            for (const key of keys) {
                const text = this.textFor(setup, key);
                if (text === null) return this.replace(setup);
                await this.change(key, text);
            }
        });
    }

    async restart(): Promise<void> {
        await this.inOrder(() => Promise.all(this.simulations.map((simulation) => simulation.restart())));
        this.touched.emit();
    }

    async reset(): Promise<void> {
        await this.inOrder(() => Promise.all(this.simulations.map((simulation) => simulation.reset())));
        this.touched.emit();
    }

    private differences(setup: Setup): string[] | null {
        const now = this.setup;
        if (!now || now.source !== setup.source || now.beside !== setup.beside) return null;
        const before = new Map(now.overrides);
        const then = new Map(setup.overrides);
        return [...new Set([...before.keys(), ...then.keys()])].filter((key) => before.get(key) !== then.get(key));
    }

    private textFor(setup: Setup, key: string): string | null {
        const override = setup.overrides.find(([name]) => name === key);
        if (override) return override[1];
        const original = this.fileValues.get(key);
        return original === undefined || original === null ? null : toToml(original, findKey(this.engine.keys, key));
    }

    private async replace(setup: Setup): Promise<void> {
        this.replacing = true;
        const fresh: Simulation[] = [];
        try {
            const { source, overrides, beside } = setup;
            fresh.push(await this.engine.open(source.toml, source.name, overrides, source.files));
            if (beside) {
                const others: Override[] = [...overrides.filter(([key]) => key !== solverKey), [solverKey, beside]];
                fresh.push(await this.engine.open(source.toml, source.name, others, source.files));
            }
        } catch (reason) {
            fresh.forEach((simulation) => simulation.close());
            this.replacing = false;
            throw reason;
        }
        const old = this.simulations;
        const sameScene = this.setup?.source === setup.source;
        this.simulations = fresh;
        this.setup = { ...setup, overrides: perInstance(setup.overrides, fresh[0].info) };
        if (!sameScene) this.fileValues.clear();
        this.readValues();
        old.forEach((simulation) => simulation.close());
        this.replacing = false;
        this.announce(sameScene);
    }

    private async change(key: string, text: string): Promise<void> {
        const setup = this.setup!;
        const row = findKey(this.engine.keys, key);
        const before = this.values[key];
        if (row && before !== null && sameValue(before, fromToml(text, row))) return;
        this.replacing = !row?.live;
        let anew = false;
        let looks = false;
        try {
            for (const [index, simulation] of this.simulations.entries()) {
                if (index > 0 && key === solverKey) continue; // the second simulation keeps its own solver
                try {
                    const effect = await simulation.set(key, text);
                    anew ||= effect.anew;
                    looks ||= effect.looks;
                } catch (reason) {
                    // If the second simulation refuses a value that the first accepted, restore the first.
                    if (index > 0 && before !== undefined && before !== null) await this.simulations[0].set(key, toToml(before, row));
                    throw reason;
                }
            }
        } finally {
            this.replacing = false;
        }
        const others = setup.overrides.filter(([name]) => name !== key);
        const value = row ? fromToml(text, row) : text;
        const asFile = sameValue(this.fileValues.get(key), value);
        this.setup = { ...setup, overrides: asFile ? others : [...others, [key, text]] };
        if (anew) {
            this.readValues();
            this.announce(true);
        } else {
            this.values[key] = value;
            if (looks) this.looksChanged.emit(key);
            this.changed.emit();
            this.touched.emit();
        }
    }

    private readValues(): void {
        this.values = { ...this.simulations[0].info.values };
        for (const [key, value] of Object.entries(this.values))
            if (!this.overridden(key)) this.fileValues.set(key, value);
    }

    private announce(sameScene: boolean): void {
        ++this.generation;
        this.opened.emit({ sameScene });
        this.changed.emit();
    }

    private inOrder<T>(job: () => Promise<T>): Promise<T> {
        const result = this.queue.then(job);
        this.queue = result.catch(() => undefined);
        return result;
    }
}

/// Expands keys such as "groom.length", which apply to all grooms, to one key per groom.
function perInstance(overrides: Override[], info: SceneInfo): Override[] {
    const expanded = new Map<string, string>();
    for (const [key, value] of overrides) {
        const [table, ...rest] = key.split('.');
        const pattern = new RegExp(`^${table}\\.\\d+\\.${rest.join('.')}$`);
        const instances = key in info.values ? [key] : Object.keys(info.values).filter((name) => pattern.test(name));
        for (const name of instances.length ? instances : [key]) expanded.set(name, value);
    }
    return [...expanded];
}
