/// What the page and the engine in its worker say to each other. The engine is the C++ library: nothing on this side of
/// the boundary computes how strands move.

export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // x, y, z, w

/// A key of a scene file, from the same table that the parser and docs/scene.md are made from.
export interface SceneKey {
    name: string; // "velocity_correction"
    type: 'number' | 'integer' | 'boolean' | 'choice' | 'text' | 'vector' | 'direction' | 'gravity';
    unit: string; // "" where there is none
    least: number | null; // null: no limit
    most: number | null;
    choices: string[];
    meaning: string; // with `code` in backticks
    default: SceneValue;
    /// A change acts on the running simulation; else the scene starts anew with it.
    live: boolean;
}
export type SceneValue = number | boolean | string | Vec3;
export interface SceneTable {
    name: string; // "solver"
    meaning: string;
    repeated: boolean; // [[groom]]: keys are then written groom.0.length
    keys: SceneKey[];
}

/// A value of a scene that differs from its file: ["solver.type", "pbd"]. Values are written as in TOML; text may go
/// without quotes.
export type Override = [key: string, value: string];

/// A file that a scene refers to, or a dropped one.
export interface SceneFile {
    name: string; // with folders, as the scene names it
    bytes: Uint8Array;
}

/// Strands that are drawn together: the simulated ones of a groom, or those that follow them.
export interface StrandsInfo {
    groom: number;
    follow: boolean; // children: cannot be grabbed
    strands: number;
    points: number;
    firstPoint: Uint32Array; // strands + 1 entries
    widths: Float32Array; // diameter per point [m], as it should be drawn; 0 from a cut on
    colours: Float32Array | null; // red, green, blue per point, linear; null: the look of the scene
    string: boolean; // has widths, across and tensions in every frame
}
export interface MeshInfo {
    body: number;
    name: string;
    vertices: number;
    triangles: Uint32Array; // three per triangle
    colour: Vec3; // linear
}
export interface ColliderInfo {
    shape: 'sphere' | 'capsule' | 'box' | 'plane' | 'torus';
    body: number;
    a: Vec3;
    b: Vec3;
    radius: number;
    radiusB: number;
    size: Vec3;
    round: number; // of the edges of a box
    up: Vec3;
    spin: number; // turn about `up` [rad]
    visible: boolean; // no mesh stands for it, so that it should be drawn by its shape
}
export interface BodyInfo {
    name: string;
    movable: boolean; // can be taken by the hand
}
export interface CameraInfo {
    eye: Vec3;
    target: Vec3;
    up: Vec3;
    field: number; // of view from bottom to top [rad]
}
export interface HairLook {
    colour: Vec3; // of dense hair, linear
    string: Vec3;
    stripe: Vec3;
    stripes: number;
}
export interface SceneInfo {
    name: string;
    solver: string;
    dt: number; // [s]
    strands: StrandsInfo[];
    meshes: MeshInfo[];
    bodies: BodyInfo[];
    colliders: ColliderInfo[];
    camera: CameraInfo;
    ground: number | null; // height [m]
    look: HairLook;
    particles: number; // simulated ones
    repairs: string[]; // what of a file had to be mended
    values: Record<string, SceneValue>; // of every key of every table: "solver.type", "groom.0.length"
}

export interface Report {
    stretchMax: number;
    stretchMean: number;
    nonfinite: number;
    kinetic: number; // [J]
    potential: number;
    elastic: number;
    penetrationMax: number; // [m]
    penetrating: number;
    missedHolds: number;
    torn: number;
    stages: { roots: number; body: number; interaction: number; solve: number; measure: number }; // [s] of the last step
}

/// What is to be drawn. Arrays are views of the engine's memory where that is shared, else copies that were handed
/// over; they hold until `done` is called, which lets the engine go on.
export interface Frame {
    simulation: number;
    time: number; // [s]
    settling: number; // share of sim.settle that is still to come: strands find their place while time stands still
    steps: number; // taken for this frame
    milliseconds: number; // that the engine took for it
    points: Float32Array[]; // x, y, z per point, for each of SceneInfo.strands
    origins: Vec3[]; // for each of them: where its points are seen from
    widths: (Float32Array | null)[]; // for each of them: as in StrandsInfo, where a cut or a value has changed them
    /// Of strings only, else null. Widths are 0 where a segment is torn; one per point, for the segment it begins.
    stringWidths: (Float32Array | null)[];
    across: (Float32Array | null)[];
    tensions: (Float32Array | null)[]; // [N]
    vertices: Float32Array[]; // x, y, z per vertex, for each of SceneInfo.meshes
    meshOrigins: Vec3[]; // for each of them: where its vertices are seen from
    bodies: { position: Vec3; rotation: Quaternion }[];
    report: Report | null; // null where no step was taken, and now and then where measuring takes long
}

export interface Ray {
    from: Vec3;
    along: Vec3; // unit vector
    /// Half-angle within which a strand counts as hit [rad].
    cone: number;
}
export interface Hit {
    strands: number; // index into SceneInfo.strands
    groom: number;
    strand: number;
    particle: number;
    point: Vec3;
    distance: number; // along the ray
}

/// A running simulation, as the page sees it. All calls answer in order.
export interface Simulation {
    readonly id: number;
    readonly info: SceneInfo;
    /// Lets time pass and gives what is to be seen then. `seconds` 0: only looks.
    advance(seconds: number): Promise<Frame>;
    step(): Promise<Frame>; // one fixed step
    done(frame: Frame): void;
    reset(): Promise<void>; // strands at rest, time goes on
    restart(): Promise<void>; // as when opened
    /// Changes a value. `anew`: the scene had to start again, and `info` is another one. `looks`: the simulation goes
    /// on, but `info` is another one: camera, ground, look, colours.
    set(key: string, value: string): Promise<{ anew: boolean; looks: boolean }>;
    toml(): Promise<string>; // the scene as it is now, as a file

    pick(ray: Ray): Promise<Hit | null>;
    /// Holds a particle by a hand; `clamped`: a string's end keeps its direction and can be twisted.
    grab(hit: Hit, clamped: boolean): Promise<number>;
    moveHand(hand: number, to: Vec3, twist: number): void; // twist about the held segment since grabbed [rad]
    release(hand: number): void;
    /// Cuts what the ray hits: strings in two, other strands lose what is behind. The number of cuts.
    cut(ray: Ray): Promise<number>;
    /// Moves a body by hand, on top of its own motion.
    moveBody(body: number, offset: Vec3, rotation: Quaternion): void;
    /// Wind by hand in addition to the scene's [m/s]; null: none.
    blow(wind: Vec3 | null): void;
    close(): void;
}

/// The engine in its worker.
export interface Engine {
    readonly threads: number; // 1: without shared memory
    readonly shared: boolean; // frames are views of the engine's memory
    readonly simd: string;
    readonly version: string;
    readonly keys: SceneTable[];
    /// Rejects with the engine's own sentence where the scene cannot be read or built.
    open(toml: string, name: string, overrides: Override[], files: SceneFile[]): Promise<Simulation>;
    /// A scene for a dropped groom or mesh: the TOML that shows it.
    sceneFor(file: SceneFile): Promise<string>;
    close(): void;
}
