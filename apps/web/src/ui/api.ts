/// The API of the page for tests and the console: `window.tendrilPage`, described in the README.

import type { Report, Simulation } from '../engine/types';
import type { Stage } from '../stage/stage';
import type { Page } from './page';

export interface PageReport extends Report {
    steps: number;
    time: number;
    solver: string;
}
export interface TendrilPage {
    ready: Promise<void>;
    readonly scenes: string[];
    open(name: string): Promise<void>;
    setSolver(solver: string): Promise<void>;
    setBeside(solver: string | null): Promise<void>;
    set(key: string, value: string): Promise<void>;
    toml(): Promise<string>;
    setPlaying(playing: boolean): void;
    step(): Promise<void>;
    report(panel?: number): PageReport | null;
    positions(part: number): Promise<Float32Array>;
    readonly simulation: Simulation | null;
    readonly stage: Stage | null;
    readonly times: { engine: number; opened: number; firstPicture: number };
}

declare global {
    interface Window {
        tendrilPage: TendrilPage;
    }
}

export function exposePage(starting: Promise<Page>): void {
    let page: Page | null = null;
    const started = starting.then((one) => (page = one));
    started.catch(() => undefined); // the page has already shown the error
    window.tendrilPage = {
        ready: started.then((one) => one.firstPicture),
        get scenes() {
            return page?.catalogue.index.scenes.map((scene) => scene.name) ?? [];
        },
        open: async (name) => (await started).openScene(name),
        setSolver: async (solver) => (await started).setSolver(solver),
        setBeside: async (solver) => (await started).setBeside(solver),
        set: async (key, value) => (await started).setValue(key, value),
        toml: async () => (await started).session.simulations[0].toml(),
        setPlaying: (playing) => page?.loop.setPlaying(playing),
        step: async () => (await started).loop.singleStep(),
        report: (panel = 0) => page?.report(panel) ?? null,
        positions: async (part) => (await started).loop.positions(part),
        get simulation() {
            return page?.session.simulations[0] ?? null;
        },
        get stage() {
            return page?.stage ?? null;
        },
        get times() {
            return page?.times ?? { engine: NaN, opened: NaN, firstPicture: NaN };
        },
    };
    window.tendrilPage.ready.catch(() => undefined);
}
