/// The page's interface to the engine, which runs in worker.ts.
import type { Answer, Request, Start, Started } from './messages';
import type { Engine, Frame, Hit, Override, Ray, SceneFile, SceneInfo, SceneTable, Simulation } from './types';
import type { Quaternion, Vec3 } from './types';

export interface EngineOptions {
    threads?: number; // 0, the default: one per core if memory can be shared, otherwise one
}

/// Loads the engine from the folder `engine` next to the page.
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const start: Start = { from: new URL('engine/', document.baseURI).href, threads: options.threads ?? 0 };
    worker.postMessage(start);
    const started = await new Promise<Started | Answer>((resolve, reject) => {
        worker.onmessage = (message) => resolve(message.data);
        worker.onerror = (event) => reject(new Error(event.message || 'The engine could not be loaded.'));
    });
    if ('error' in started) throw new Error(started.error);
    return new WorkerEngine(new Calls(worker), started as Started);
}

/// Sends calls to the worker and matches its answers to them.
class Calls {
    private last = 0;
    private readonly waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();

    constructor(private readonly worker: Worker) {
        worker.onmessage = (message: MessageEvent<Answer>) => {
            const { id, error } = message.data;
            const call = this.waiting.get(id);
            this.waiting.delete(id);
            if (error !== undefined) call?.reject(new Error(error));
            else call?.resolve(message.data);
        };
        worker.onerror = (event) => this.end(event.message || 'The engine has stopped.');
    }

    ask(simulation: number, call: string, args: unknown[], transfer: Transferable[] = []): Promise<Answer> {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.worker.postMessage({ id, simulation, call, args } satisfies Request, transfer);
        });
    }
    tell(simulation: number, call: string, args: unknown[]): void {
        this.worker.postMessage({ id: 0, simulation, call, args } satisfies Request);
    }
    close(): void {
        this.worker.terminate();
        this.end('The engine is closed.');
    }

    private end(reason: string): void {
        for (const call of this.waiting.values()) call.reject(new Error(reason));
        this.waiting.clear();
    }
}

class WorkerEngine implements Engine {
    readonly threads: number;
    readonly shared: boolean;
    readonly simd: string;
    readonly version: string;
    readonly keys: SceneTable[];

    constructor(
        private readonly calls: Calls,
        started: Started,
    ) {
        this.threads = started.threads;
        this.shared = started.shared;
        this.simd = started.simd;
        this.version = started.version;
        this.keys = started.keys;
    }

    async open(toml: string, name: string, overrides: Override[], files: SceneFile[]): Promise<Simulation> {
        const { value, info } = await this.calls.ask(0, 'open', [toml, name, overrides, files]);
        return new WorkerSimulation(this.calls, value as number, info!);
    }
    async sceneFor(file: SceneFile): Promise<string> {
        return (await this.calls.ask(0, 'sceneFor', [file])).value as string;
    }
    close(): void {
        this.calls.close();
    }
}

class WorkerSimulation implements Simulation {
    constructor(
        private readonly calls: Calls,
        readonly id: number,
        public info: SceneInfo,
    ) {}

    private async ask<T>(call: string, ...args: unknown[]): Promise<T> {
        const answer = await this.calls.ask(this.id, call, args);
        if (answer.info) this.info = answer.info;
        return answer.value as T;
    }
    private tell(call: string, ...args: unknown[]): void {
        this.calls.tell(this.id, call, args);
    }

    advance(seconds: number): Promise<Frame> {
        return this.ask('advance', seconds);
    }
    step(): Promise<Frame> {
        return this.ask('step');
    }
    done(_frame: Frame): void {
        this.tell('done');
    }
    reset(): Promise<void> {
        return this.ask('reset');
    }
    restart(): Promise<void> {
        return this.ask('restart');
    }
    set(key: string, value: string): Promise<{ anew: boolean; looks: boolean }> {
        return this.ask('set', key, value);
    }
    toml(): Promise<string> {
        return this.ask('toml');
    }
    pick(ray: Ray): Promise<Hit | null> {
        return this.ask('pick', ray);
    }
    grab(hit: Hit, clamped: boolean): Promise<number> {
        return this.ask('grab', hit, clamped);
    }
    moveHand(hand: number, to: Vec3, twist: number): void {
        this.tell('moveHand', hand, to, twist);
    }
    release(hand: number): void {
        this.tell('release', hand);
    }
    cut(ray: Ray): Promise<number> {
        return this.ask('cut', ray);
    }
    moveBody(body: number, offset: Vec3, rotation: Quaternion): void {
        this.tell('moveBody', body, offset, rotation);
    }
    blow(wind: Vec3 | null): void {
        this.tell('blow', wind);
    }
    close(): void {
        this.tell('close');
    }
}
