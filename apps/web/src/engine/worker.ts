/// The engine in its worker: does what the page asks for, one call after the other.
import { load, type Simulation, type Tendril } from '../../npm/index';
import { arraysOf, type Answer, type OpenArguments, type Request, type Start, type Started } from './messages';
import type { Frame, Report, SceneFile } from './types';

let engine: Tendril;
const simulations = new Map<number, Simulation>();
const queue: Request[] = [];
/// Simulations whose last frame the page still looks at, in memory that it shares with the engine.
const looked = new Set<number>();

self.onmessage = async (message: MessageEvent<Start>) => {
    try {
        engine = await load(message.data);
        const { threads, shared, simd, version, keys } = engine;
        self.postMessage({ threads, shared, simd, version, keys } satisfies Started);
    } catch (wrong) {
        self.postMessage({ id: 0, error: sentence(wrong) } satisfies Answer);
    }
    self.onmessage = (next: MessageEvent<Request>) => receive(next.data);
};

function receive(request: Request): void {
    if (request.call === 'done' || request.call === 'close') looked.delete(request.simulation);
    if (request.call !== 'done') queue.push(request);
    for (;;) {
        const next = queue.findIndex((waiting) => !looked.has(waiting.simulation));
        if (next < 0) return;
        answer(queue.splice(next, 1)[0]);
    }
}

function answer(request: Request): void {
    const reply: Answer = { id: request.id };
    const transfer: Transferable[] = [];
    try {
        reply.value = request.simulation === 0 ? ofEngine(request, reply) : ofSimulation(request, reply, transfer);
    } catch (wrong) {
        reply.error = sentence(wrong);
    }
    if (request.id !== 0) self.postMessage(reply, { transfer });
    else if (reply.error) console.error(`${request.call}: ${reply.error}`);
}

function ofEngine(request: Request, reply: Answer): unknown {
    if (request.call === 'sceneFor') return engine.sceneFor(request.args[0] as SceneFile);
    const simulation = engine.open(...(request.args as OpenArguments));
    simulations.set(simulation.id, simulation);
    reply.info = simulation.info;
    return simulation.id;
}

function ofSimulation(request: Request, reply: Answer, transfer: Transferable[]): unknown {
    const simulation = simulations.get(request.simulation);
    if (!simulation) throw new Error('the simulation is closed');
    const { info } = simulation;
    // Names and arguments of the calls are those of the class; client.ts is what checks their types.
    const call = simulation[request.call as keyof Simulation] as (...args: unknown[]) => unknown;
    let value = call.apply(simulation, request.args);
    if (request.call === 'close') simulations.delete(request.simulation);
    if (request.call === 'advance' || request.call === 'step') value = toShow(value as Frame, simulation, transfer);
    if (simulation.info !== info) reply.info = simulation.info;
    return value;
}

/// The frame as the page gets it.
function toShow(frame: Frame, simulation: Simulation, transfer: Transferable[]): Frame {
    if (engine.shared) {
        looked.add(simulation.id);
    } else {
        frame = copyOf(frame);
        for (const array of arraysOf(frame)) transfer.push(array.buffer);
    }
    if (frame.steps > 0) frame.report = affordable(simulation);
    return frame;
}

/// Measuring takes as long as a step where there is much hair: it gets a tenth of the time, and small scenes are
/// measured at every frame.
const kMeasuringShare = 0.1;
const nextReport = new WeakMap<Simulation, number>();
function affordable(simulation: Simulation): Report | null {
    const before = performance.now();
    if (before < (nextReport.get(simulation) ?? 0)) return null;
    const report = simulation.report();
    const after = performance.now();
    nextReport.set(simulation, after + (after - before) * (1 / kMeasuringShare - 1));
    return report;
}

function copyOf(frame: Frame): Frame {
    const whole = (arrays: Float32Array[]) => arrays.map((array) => array.slice());
    const some = (arrays: (Float32Array | null)[]) => arrays.map((array) => array?.slice() ?? null);
    return {
        ...frame,
        points: whole(frame.points),
        stringWidths: some(frame.stringWidths),
        across: some(frame.across),
        tensions: some(frame.tensions),
        vertices: whole(frame.vertices),
    };
}

function sentence(wrong: unknown): string {
    if (wrong instanceof Error) return wrong.message;
    return typeof wrong === 'string' ? wrong : 'The engine cannot take that.'; // an exception of C++ that nobody caught
}
