/// Runs the engine in a worker and executes the page's calls one after another.
import { load, type Simulation, type Tendril } from '../../npm/index';
import { arraysOf, type Answer, type OpenArguments, type Request, type Start, type Started } from './messages';
import type { Frame, Report, SceneFile } from './types';

let engine: Tendril;
const simulations = new Map<number, Simulation>();
const queue: Request[] = [];
/// Simulations whose last frame the page is still reading from shared memory.
const framesInUse = new Set<number>();

self.onmessage = async (message: MessageEvent<Start>) => {
    try {
        engine = await load(message.data);
        const { threads, shared, simd, version, keys } = engine;
        self.postMessage({ threads, shared, simd, version, keys } satisfies Started);
    } catch (error) {
        self.postMessage({ id: 0, error: errorMessage(error) } satisfies Answer);
    }
    self.onmessage = (next: MessageEvent<Request>) => receive(next.data);
};

function receive(request: Request): void {
    if (request.call === 'done' || request.call === 'close') framesInUse.delete(request.simulation);
    if (request.call !== 'done') queue.push(request);
    for (;;) {
        const next = queue.findIndex((waiting) => !framesInUse.has(waiting.simulation));
        if (next < 0) return;
        answer(queue.splice(next, 1)[0]);
    }
}

function answer(request: Request): void {
    const reply: Answer = { id: request.id };
    const transfer: Transferable[] = [];
    try {
        reply.value = request.simulation === 0 ? callEngine(request, reply) : callSimulation(request, reply, transfer);
    } catch (error) {
        reply.error = errorMessage(error);
    }
    if (request.id !== 0) self.postMessage(reply, { transfer });
    else if (reply.error) console.error(`${request.call}: ${reply.error}`);
}

function callEngine(request: Request, reply: Answer): unknown {
    if (request.call === 'sceneFor') return engine.sceneFor(request.args[0] as SceneFile);
    const simulation = engine.open(...(request.args as OpenArguments));
    simulations.set(simulation.id, simulation);
    reply.info = simulation.info;
    return simulation.id;
}

function callSimulation(request: Request, reply: Answer, transfer: Transferable[]): unknown {
    const simulation = simulations.get(request.simulation);
    if (!simulation) throw new Error('The simulation is closed.');
    const { info } = simulation;
    // Calls use the method names and arguments of the class; client.ts checks their types.
    const call = simulation[request.call as keyof Simulation] as (...args: unknown[]) => unknown;
    let value = call.apply(simulation, request.args);
    if (request.call === 'close') simulations.delete(request.simulation);
    const isFrame = request.call === 'advance' || request.call === 'step';
    if (isFrame) value = prepareFrame(value as Frame, simulation, transfer);
    if (simulation.info !== info) reply.info = simulation.info;
    return value;
}

/// Prepares a frame for the page.
function prepareFrame(frame: Frame, simulation: Simulation, transfer: Transferable[]): Frame {
    if (engine.shared) {
        framesInUse.add(simulation.id);
    } else {
        frame = copyOf(frame);
        for (const array of arraysOf(frame)) transfer.push(array.buffer);
    }
    if (frame.steps > 0) frame.report = measureWithinBudget(simulation);
    return frame;
}

/// Measuring a large groom takes as long as a step, so it gets at most a tenth of the time. Small scenes are measured
/// every frame.
const kMeasuringShare = 0.1;
const nextReport = new WeakMap<Simulation, number>();
function measureWithinBudget(simulation: Simulation): Report | null {
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

function errorMessage(error: unknown): string {
    if (error instanceof Error) return error.message;
    return typeof error === 'string' ? error : 'The engine failed with an unknown error.'; // an uncaught C++ exception
}
