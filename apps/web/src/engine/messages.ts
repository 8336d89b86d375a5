/// What goes between the page and the worker that the engine runs in.
import type { Frame, Override, SceneFile, SceneInfo, SceneTable } from './types';

/// The first message: where the engine's files are, and how many threads it may have (0: one per core).
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

/// Calls of a simulation, by the name of the method. Those of the engine itself have the simulation 0.
export interface Request {
    id: number; // 0: nobody waits for an answer
    simulation: number;
    call: string;
    args: unknown[];
}
export interface Answer {
    id: number;
    value?: unknown;
    error?: string;
    info?: SceneInfo; // of the simulation, where it is another one now
}

export type OpenArguments = [toml: string, name: string, overrides: Override[], files: SceneFile[]];

/// All arrays of a frame.
export function arraysOf(frame: Frame): Float32Array[] {
    const { points, widths, stringWidths, across, tensions, vertices } = frame;
    const all = [...points, ...widths, ...stringWidths, ...across, ...tensions, ...vertices];
    return all.filter((array) => array !== null);
}
