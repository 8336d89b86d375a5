/// The raw WebAssembly module. Its functions are defined in the engine's exports.cpp.

/// The module that Emscripten's script creates.
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
const kPageSize = 65536; // size of a WebAssembly memory page [bytes]
const kMinMemory = (64 << 20) / kPageSize;
const kMaxMemory = (2 << 30) >>> 16;

/// Whether shared memory is available: in node, and in pages that are cross-origin isolated.
export function canShare(): boolean {
    const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
    return typeof SharedArrayBuffer === 'function' && (isNode || crossOriginIsolated === true);
}

export function cores(): number {
    return globalThis.navigator?.hardwareConcurrency ?? 2;
}

/// The module and its memory, with functions to pass data in and out.
export class Instance {
    private constructor(
        readonly module: Module,
        private readonly memory: WebAssembly.Memory,
        readonly shared: boolean,
    ) {}

    /// Loads the module from the folder with the engine's files.
    static async load(folder: URL, threads: number): Promise<Instance> {
        const shared = threads > 1;
        const name = shared ? 'tendril-threads' : 'tendril';
        const at = (file: string) => new URL(file, folder).href;
        await import(/* @vite-ignore */ at(`${name}.js`));
        const { createTendril } = globalThis as unknown as {
            createTendril(options: object): Promise<Module>;
        };
        const memory = new WebAssembly.Memory({ initial: kMinMemory, maximum: kMaxMemory, shared });
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
    uints(at: number, count: number): Uint32Array {
        return new Uint32Array(this.memory.buffer, at, count);
    }

    /// The numbers that the last call returned.
    numbers(): Float64Array {
        const { module } = this;
        return new Float64Array(this.memory.buffer, module._tendril_numbers(), module._tendril_number_count()).slice();
    }

    /// The text that the last call returned.
    text(): string {
        const at = this.module._tendril_text();
        const bytes = new Uint8Array(this.memory.buffer);
        return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at))); // TextDecoder rejects shared memory
    }

    /// Copies texts (terminated with 0) and bytes to the module's memory and calls `act` with their addresses.
    with<T>(data: (string | Uint8Array)[], act: (...at: number[]) => T): T {
        const addresses = data.map((item) => {
            const bytes = typeof item === 'string' ? new TextEncoder().encode(`${item}\0`) : item;
            const at = this.module._malloc(Math.max(1, bytes.length));
            if (at === 0) throw new Error('out of memory');
            new Uint8Array(this.memory.buffer).set(bytes, at);
            return at;
        });
        try {
            return act(...addresses);
        } finally {
            for (const at of addresses) this.module._free(at);
        }
    }

    /// Returns the result of a call, or throws the error text that the call left if the result is negative.
    checked(result: number): number {
        if (result < 0) throw new Error(this.text());
        return result;
    }
}

/// This version of Emscripten mistakes a node with `fetch` for a browser, and its threads need file paths.
async function nodeOptions(folder: URL, name: string): Promise<object> {
    const [files, url] = ['node:fs/promises', 'node:url']; // hidden from bundlers
    const { readFile } = await import(/* @vite-ignore */ files);
    const { fileURLToPath } = await import(/* @vite-ignore */ url);
    const path = (file: string): string => fileURLToPath(new URL(file, folder));
    return {
        locateFile: path,
        mainScriptUrlOrBlob: path(`${name}.js`),
        wasmBinary: await readFile(new URL(`${name}.wasm`, folder)),
    };
}
