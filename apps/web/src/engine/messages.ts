/// The messages between the page and the engine's worker.
import type { Frame, Override, SceneFile, SceneInfo, SceneTable } from './types';

/// The first message: the URL of the engine's files and the number of threads (0: one per core).
export interface Start {
    from: string;
    threads: number;
}
export interface Started {
    threads: number;
    shared: boolean;
    simd: string;
    version: string;
    keys: SceneTable[];
}

/// A call of a simulation's method by name. Calls to the engine itself have simulation 0.
export interface Request {
    id: number; // 0: no answer is expected
    simulation: number;
    call: string;
    args: unknown[];
}
export interface Answer {
    id: number;
    value?: unknown;
    error?: string;
    info?: SceneInfo; // of the simulation, if it has changed
}

export type OpenArguments = [toml: string, name: string, overrides: Override[], files: SceneFile[]];

/// All arrays of a frame.
export function arraysOf(frame: Frame): Float32Array[] {
    const { points, widths, stringWidths, across, tensions, vertices } = frame;
    const all = [...points, ...widths, ...stringWidths, ...across, ...tensions, ...vertices];
    return all.filter((array) => array !== null);
}
