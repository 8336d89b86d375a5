import type { Frame, Hit, Quaternion, Ray, Report, SceneInfo, Vec3 } from '../src/engine/types.js';
import type { Instance, Module } from './module.js';

/// The effect of changing a value. `anew`: the scene was restarted; `looks`: only the appearance changed. In both cases
/// `info` is a new object.
export interface Change {
    anew: boolean;
    looks: boolean;
}
enum Changed {
    kNone,
    kLive,
    kLooks,
    kAnew,
}

/// A running scene. The arrays of a frame are views of the engine's memory and are valid until the next call.
export class Simulation {
    info: SceneInfo;
    private widthVersions: number[] = [];
    private readonly module: Module;

    constructor(
        private readonly engine: Instance,
        readonly id: number,
        private readonly onClose: () => void,
    ) {
        this.module = engine.module;
        this.info = this.readInfo();
    }

    /// Advances time in fixed steps; 0 seconds returns the current frame.
    advance(seconds: number): Frame {
        this.module._tendril_advance(this.id, seconds);
        return this.readFrame();
    }
    /// One fixed step.
    step(): Frame {
        this.module._tendril_step(this.id);
        return this.readFrame();
    }
    /// Measures the last step.
    report(): Report {
        this.module._tendril_report(this.id);
        const n = this.engine.numbers();
        return {
            stretchMax: n[0],
            stretchMean: n[1],
            nonfinite: n[2],
            kinetic: n[3],
            potential: n[4],
            elastic: n[5],
            penetrationMax: n[6],
            penetrating: n[7],
            missedHolds: n[8],
            torn: n[9],
            stages: { roots: n[10], body: n[11], interaction: n[12], solve: n[13], measure: n[14] },
        };
    }
    /// Returns strands to their rest pose and repairs torn ones; time continues.
    reset(): void {
        this.module._tendril_reset(this.id);
    }
    /// Restarts the scene, keeping the values that were set.
    restart(): void {
        this.engine.checked(this.module._tendril_restart(this.id));
        this.info = this.readInfo();
    }

    /// Changes a value: set('solver.type', 'pbd'). Throws if the value is refused; the scene then stays as it was.
    set(key: string, value: string): Change {
        const changed = this.engine.with([key, value], (k, v) =>
            this.engine.checked(this.module._tendril_set(this.id, k, v)),
        );
        if (changed >= Changed.kLooks) this.info = this.readInfo();
        return { anew: changed === Changed.kAnew, looks: changed === Changed.kLooks };
    }
    /// The current scene as the text of a scene file.
    toml(): string {
        this.module._tendril_toml(this.id);
        return this.engine.text();
    }

    pick(ray: Ray): Hit | null {
        if (this.module._tendril_pick(this.id, ...ray.from, ...ray.along, ray.cone) === 0) return null;
        const [strands, groom, strand, particle, x, y, z, distance] = this.engine.numbers();
        return { strands, groom, strand, particle, point: [x, y, z], distance };
    }
    /// Holds the picked particle and returns the id of the hand.
    grab(hit: Hit, clamped = false): number {
        const numbers = [hit.strands, hit.groom, hit.strand, hit.particle, ...hit.point, hit.distance];
        return this.engine.checked(this.module._tendril_grab(this.id, ...numbers, clamped ? 1 : 0));
    }
    moveHand(hand: number, to: Vec3, twist = 0): void {
        this.module._tendril_move_hand(this.id, hand, ...to, twist);
    }
    release(hand: number): void {
        this.module._tendril_release(this.id, hand);
    }
    /// Returns the number of cuts.
    cut(ray: Ray): number {
        return this.module._tendril_cut(this.id, ...ray.from, ...ray.along, ray.cone);
    }
    moveBody(body: number, offset: Vec3, rotation: Quaternion): void {
        this.module._tendril_move_body(this.id, body, ...offset, ...rotation);
    }
    blow(wind: Vec3 | null): void {
        this.module._tendril_blow(this.id, wind ? 1 : 0, ...(wind ?? ([0, 0, 0] as Vec3)));
    }
    close(): void {
        this.module._tendril_close(this.id);
        this.onClose();
    }

    /// The arrays of a scene are copies, so they stay valid.
    private readInfo(): SceneInfo {
        this.module._tendril_info(this.id);
        const info = JSON.parse(this.engine.text()) as SceneInfo;
        this.module._tendril_arrays(this.id);
        const read = new Reader(this.engine);
        this.widthVersions = [];
        for (const part of info.strands) {
            part.firstPoint = read.uints().slice();
            part.widths = read.floats()?.slice() ?? new Float32Array();
            this.widthVersions.push(read.number());
            part.colours = read.floats()?.slice() ?? null;
        }
        for (const mesh of info.meshes) mesh.triangles = read.uints().slice();
        return info;
    }

    private readFrame(): Frame {
        const read = new Reader(this.engine);
        const frame: Frame = {
            simulation: this.id,
            time: read.number(),
            settling: read.number(),
            steps: read.number(),
            milliseconds: read.number(),
            points: [],
            origins: [],
            widths: [],
            stringWidths: [],
            across: [],
            tensions: [],
            vertices: [],
            meshOrigins: [],
            bodies: [],
            report: null,
        };
        const versions: number[] = [];
        for (let i = 0; i < this.info.strands.length; ++i) {
            frame.points.push(read.floats() ?? new Float32Array());
            frame.origins.push(read.vector());
            versions.push(read.number());
            frame.stringWidths.push(read.floats());
            frame.across.push(read.floats());
            frame.tensions.push(read.floats());
        }
        for (let i = 0; i < this.info.meshes.length; ++i) {
            frame.vertices.push(read.floats() ?? new Float32Array());
            frame.meshOrigins.push(read.vector());
        }
        for (let i = 0; i < this.info.bodies.length; ++i) {
            const position = read.vector();
            frame.bodies.push({ position, rotation: [...read.vector(), read.number()] });
        }
        frame.widths = this.changedWidths(versions);
        return frame;
    }

    private changedWidths(versions: number[]): (Float32Array | null)[] {
        if (versions.every((version, i) => version === this.widthVersions[i])) return versions.map(() => null);
        this.module._tendril_arrays(this.id);
        const read = new Reader(this.engine);
        return versions.map((version, i) => {
            read.uints();
            const widths = read.floats()?.slice() ?? null;
            read.number();
            read.floats();
            const changed = version !== this.widthVersions[i];
            this.widthVersions[i] = version;
            return changed ? widths : null;
        });
    }
}

/// Reads the numbers that the last call returned, one item after another.
class Reader {
    private readonly numbers: Float64Array;
    private next = 0;
    constructor(private readonly engine: Instance) {
        this.numbers = engine.numbers();
    }
    number(): number {
        return this.numbers[this.next++];
    }
    vector(): Vec3 {
        return [this.number(), this.number(), this.number()];
    }
    floats(): Float32Array | null {
        const at = this.number();
        const count = this.number();
        return count > 0 ? this.engine.floats(at, count) : null;
    }
    uints(): Uint32Array {
        const at = this.number();
        return this.engine.uints(at, this.number());
    }
}
