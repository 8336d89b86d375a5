/// Tendril simulates hair, fur, ropes and strings. The C++ engine as WebAssembly, for pages, workers and node.
import type { Override, SceneFile, SceneTable } from '../src/engine/types.js';
import { canShare, cores, Instance } from './module.js';
import { Simulation } from './simulation.js';

export type * from '../src/engine/types.js';
export { Simulation };
export type { Change } from './simulation.js';

export interface LoadOptions {
    /// 0, the default: one per core. More than one needs shared memory, which is available in node and in pages that
    /// are cross-origin isolated.
    threads?: number;
    /// The folder with the engine's files; by default the one in this package.
    from?: URL | string;
}

/// More threads than this do not help.
const kMaxThreads = 16;

/// Loads the engine: the build with threads if memory can be shared, otherwise the one without.
export async function load(options: LoadOptions = {}): Promise<Tendril> {
    const wanted = Math.min(options.threads || cores(), kMaxThreads);
    const threads = canShare() ? Math.max(1, Math.floor(wanted)) : 1;
    const folder = new URL(options.from ?? '../../engine/', import.meta.url);
    return new Tendril(await Instance.load(folder, threads), threads);
}

export class Tendril {
    readonly shared: boolean; // frames are views of shared memory, which other threads may read
    readonly simd: string;
    readonly version: string;
    readonly keys: SceneTable[]; // of scene files
    private opened = 0;

    constructor(
        private readonly engine: Instance,
        readonly threads: number,
    ) {
        const { module } = engine;
        if (threads > 1) module._tendril_use_threads(threads);
        this.shared = engine.shared;
        module._tendril_version();
        this.version = engine.text();
        module._tendril_simd();
        this.simd = engine.text();
        module._tendril_keys();
        this.keys = JSON.parse(engine.text());
    }

    /// Opens a scene from the text of its file, with overridden values and the files that it refers to. Throws the
    /// engine's error message if the scene cannot be read or built.
    open(toml: string, name = 'scene', overrides: Override[] = [], files: SceneFile[] = []): Simulation {
        const folder = `/scene${++this.opened}`;
        const removeFiles = this.writeFiles(folder, files);
        try {
            const id = this.engine.with([toml, name, overrides.flat().join('\0'), folder], (text, as, pairs, where) =>
                this.engine.checked(this.engine.module._tendril_open(text, as, pairs, overrides.length, where)),
            );
            return new Simulation(this.engine, id, removeFiles);
        } catch (error) {
            removeFiles();
            throw error;
        }
    }

    /// Returns the TOML of a scene that shows a groom or a mesh.
    sceneFor(file: SceneFile): string {
        this.engine.with([file.name, file.bytes], (name, bytes) =>
            this.engine.checked(this.engine.module._tendril_scene_for(name, bytes, file.bytes.length)),
        );
        return this.engine.text();
    }

    /// Terminates the threads. Do not call anything afterwards.
    close(): void {
        this.engine.module.PThread?.terminateAllThreads();
    }

    /// Writes files to the engine's in-memory file system. The returned function removes them.
    private writeFiles(folder: string, files: SceneFile[]): () => void {
        const { FS } = this.engine.module;
        const paths = files.map((file) => `${folder}/${file.name}`);
        files.forEach((file, i) => {
            FS.mkdirTree(paths[i].slice(0, paths[i].lastIndexOf('/')));
            FS.writeFile(paths[i], file.bytes);
        });
        return () => paths.forEach((path) => FS.unlink(path));
    }
}
