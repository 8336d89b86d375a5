/// The WebAssembly module as it is: engine/exports.cpp of the page is the other side of every function here.

/// What emscripten's script gives.
export interface Module {
    FS: {
        mkdirTree(path: string): void;
        writeFile(path: string, bytes: Uint8Array): void;
        unlink(path: string): void;
    };
    PThread?: { terminateAllThreads(): void };
    _malloc(bytes: number): number;
    _free(at: number): void;

    _tendril_use_threads(threads: number): void;
    _tendril_text(): number;
    _tendril_numbers(): number;
    _tendril_number_count(): number;
    _tendril_version(): void;
    _tendril_simd(): void;
    _tendril_keys(): void;
    _tendril_scene_for(name: number, bytes: number, size: number): number;
    _tendril_open(toml: number, name: number, overrides: number, count: number, folder: number): number;
    _tendril_close(id: number): void;
    _tendril_info(id: number): void;
    _tendril_arrays(id: number): void;
    _tendril_advance(id: number, seconds: number): void;
    _tendril_step(id: number): void;
    _tendril_report(id: number): void;
    _tendril_reset(id: number): void;
    _tendril_restart(id: number): number;
    _tendril_set(id: number, key: number, value: number): number;
    _tendril_toml(id: number): void;
    _tendril_pick(id: number, ...ray: number[]): number;
    _tendril_grab(id: number, ...hitAndClamped: number[]): number;
    _tendril_move_hand(id: number, hand: number, x: number, y: number, z: number, twist: number): void;
    _tendril_release(id: number, hand: number): void;
    _tendril_cut(id: number, ...ray: number[]): number;
    _tendril_move_body(id: number, body: number, ...offsetAndRotation: number[]): void;
    _tendril_blow(id: number, blows: number, x: number, y: number, z: number): void;
}

declare const process: { versions?: { node?: string } } | undefined;
const isNode = typeof process === 'object' && !!process.versions?.node;
const kPage = 65536; // bytes, of WebAssembly's memory
const kLeastMemory = (64 << 20) / kPage;
const kMostMemory = (2 << 30) >>> 16;

/// Shared memory is to be had in node, and in pages that are isolated from those of other origins.
export function canShare(): boolean {
    const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
    return typeof SharedArrayBuffer === 'function' && (isNode || crossOriginIsolated === true);
}

export function cores(): number {
    return globalThis.navigator?.hardwareConcurrency ?? 2;
}

/// The module and its memory, with ways to put things in and take them out.
export class Instance {
    private constructor(
        readonly module: Module,
        private readonly memory: WebAssembly.Memory,
        readonly shared: boolean,
    ) {}

    /// From the folder with the files of the engine.
    static async load(folder: URL, threads: number): Promise<Instance> {
        const shared = threads > 1;
        const name = shared ? 'tendril-threads' : 'tendril';
        const at = (file: string) => new URL(file, folder).href;
        await import(/* @vite-ignore */ at(`${name}.js`));
        const { createTendril } = globalThis as unknown as {
            createTendril(options: object): Promise<Module>;
        };
        const memory = new WebAssembly.Memory({ initial: kLeastMemory, maximum: kMostMemory, shared });
        const module = await createTendril({
            threads,
            wasmMemory: memory,
            ...(isNode ? await nodeOptions(folder, name) : { locateFile: at, mainScriptUrlOrBlob: at(`${name}.js`) }),
        });
        return new Instance(module, memory, shared);
    }

    floats(at: number, count: number): Float32Array {
        return new Float32Array(this.memory.buffer, at, count);
    }
    whole(at: number, count: number): Uint32Array {
        return new Uint32Array(this.memory.buffer, at, count);
    }

    /// The numbers that the last call has left.
    numbers(): Float64Array {
        const { module } = this;
        return new Float64Array(this.memory.buffer, module._tendril_numbers(), module._tendril_number_count()).slice();
    }

    /// The text that the last call has left.
    text(): string {
        const at = this.module._tendril_text();
        const bytes = new Uint8Array(this.memory.buffer);
        return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at))); // decoders refuse shared memory
    }

    /// Calls with places in memory where the bytes are. Texts end with 0.
    with<T>(things: (string | Uint8Array)[], act: (...at: number[]) => T): T {
        const places = things.map((thing) => {
            const bytes = typeof thing === 'string' ? new TextEncoder().encode(`${thing}\0`) : thing;
            const at = this.module._malloc(Math.max(1, bytes.length));
            if (at === 0) throw new Error('out of memory');
            new Uint8Array(this.memory.buffer).set(bytes, at);
            return at;
        });
        try {
            return act(...places);
        } finally {
            for (const at of places) this.module._free(at);
        }
    }

    /// What a call gives that fails with a negative number and leaves the reason behind.
    checked(result: number): number {
        if (result < 0) throw new Error(this.text());
        return result;
    }
}

/// Scripts of this age take node for a browser where it has `fetch`, and threads there want paths.
async function nodeOptions(folder: URL, name: string): Promise<object> {
    const [files, url] = ['node:fs/promises', 'node:url']; // not to be looked for by bundlers
    const { readFile } = await import(/* @vite-ignore */ files);
    const { fileURLToPath } = await import(/* @vite-ignore */ url);
    const path = (file: string): string => fileURLToPath(new URL(file, folder));
    return {
        locateFile: path,
        mainScriptUrlOrBlob: path(`${name}.js`),
        wasmBinary: await readFile(new URL(`${name}.wasm`, folder)),
    };
}
