/// The interface between the page and the engine in its worker. The engine is the C++ library; no TypeScript code
/// computes how strands move.

export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // x, y, z, w

/// A key of a scene file. The table of keys is also the source of the parser and of docs/scene.md.
export interface SceneKey {
    name: string; // "velocity_correction"
    type: 'number' | 'integer' | 'boolean' | 'choice' | 'text' | 'vector' | 'direction' | 'gravity';
    unit: string; // "" if there is none
    least: number | null; // null: no limit
    most: number | null;
    choices: string[];
    meaning: string; // with `code` in backticks
    default: SceneValue | null; // null: a groom has the world's
    group: string; // the nested table that it is in, such as "dftl", or "shape" of a groom; "" if there is none
    /// A change applies to the running simulation; otherwise it restarts the scene.
    live: boolean;
}
export type SceneValue = number | boolean | string | Vec3;
export interface SceneTable {
    name: string; // "solver"
    meaning: string;
    repeated: boolean; // as [[groom]]: its keys are written groom.0.length
    keys: SceneKey[];
}

/// A value that differs from the scene's file: ["solver.type", "pbd"]. Values are written as in TOML, but text needs no
/// quotes.
export type Override = [key: string, value: string];

/// A file that a scene refers to, or a dropped one.
export interface SceneFile {
    name: string; // with folders, as the scene names it
    bytes: Uint8Array;
}

/// Strands that are drawn together: the simulated strands of a groom, or its children.
export interface StrandsInfo {
    groom: number;
    follow: boolean; // these are children, which cannot be grabbed
    strands: number;
    points: number;
    firstPoint: Uint32Array; // strands + 1 entries
    widths: Float32Array; // per point [m], as it should be drawn; 0 from a cut onwards
    colours: Float32Array | null; // red, green, blue per point, linear; null: `look`
    look: HairLook;
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
    visible: boolean; // to be drawn, because its body has no mesh
}
export interface BodyInfo {
    name: string;
    movable: boolean; // the user can move it
}
export interface CameraInfo {
    eye: Vec3;
    target: Vec3;
    up: Vec3;
    field: number; // vertical field of view [rad]
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
    particles: number; // simulated ones
    repairs: string[]; // repairs that were made to the files, and warnings about them
    /// By full key: "solver.type", "groom.0.length". null: the groom has the world's value.
    values: Record<string, SceneValue | null>;
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

/// The state to draw. The arrays are views of the engine's memory if it is shared, otherwise copies. They are valid
/// until `done` is called, which lets the engine continue.
export interface Frame {
    simulation: number;
    time: number; // [s]
    settling: number; // remaining share of sim.settle, during which strands settle and time does not advance
    steps: number; // taken for this frame
    milliseconds: number; // engine time for this frame
    points: Float32Array[]; // x, y, z per point, for each of SceneInfo.strands
    origins: Vec3[]; // for each of them: the points are relative to it
    widths: (Float32Array | null)[]; // for each of them: as in StrandsInfo if they have changed, else null
    /// For strings only, else null. One entry per point, for the segment that starts there; width 0 if it is torn.
    stringWidths: (Float32Array | null)[];
    across: (Float32Array | null)[];
    tensions: (Float32Array | null)[]; // [N]
    vertices: Float32Array[]; // x, y, z per vertex, for each of SceneInfo.meshes
    meshOrigins: Vec3[]; // for each of them: the vertices are relative to it
    bodies: { position: Vec3; rotation: Quaternion }[];
    report: Report | null; // null if no step was taken or, in large scenes, if this frame was not measured
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

/// A running simulation. Calls are answered in order.
export interface Simulation {
    readonly id: number;
    readonly info: SceneInfo;
    /// Advances time and returns the new frame; 0 seconds returns the current one.
    advance(seconds: number): Promise<Frame>;
    step(): Promise<Frame>; // one fixed step
    done(frame: Frame): void;
    reset(): Promise<void>; // strands return to rest, time continues
    restart(): Promise<void>; // from the beginning
    /// Changes a value. `anew`: the scene was restarted. `looks`: the simulation continues, but camera, ground, look or
    /// colours changed. In both cases `info` is a new object.
    set(key: string, value: string): Promise<{ anew: boolean; looks: boolean }>;
    toml(): Promise<string>; // the current scene as the text of a scene file

    pick(ray: Ray): Promise<Hit | null>;
    /// Holds a particle and returns the id of the hand. A clamped hold keeps a string's direction and can twist it.
    grab(hit: Hit, clamped: boolean): Promise<number>;
    moveHand(hand: number, to: Vec3, twist: number): void; // twist about the held segment since the grab [rad]
    release(hand: number): void;
    /// Cuts strands that the ray hits: strings fall apart, other strands lose their tip. Returns the number of cuts.
    cut(ray: Ray): Promise<number>;
    /// Moves a body relative to its own motion.
    moveBody(body: number, offset: Vec3, rotation: Quaternion): void;
    /// Adds wind to the scene's own [m/s]; null: none.
    blow(wind: Vec3 | null): void;
    close(): void;
}

/// The engine in its worker.
export interface Engine {
    readonly threads: number; // 1 without shared memory
    readonly shared: boolean; // frames are views of the engine's memory
    readonly simd: string;
    readonly version: string;
    readonly keys: SceneTable[];
    /// Rejects with the engine's error message if the scene cannot be read or built.
    open(toml: string, name: string, overrides: Override[], files: SceneFile[]): Promise<Simulation>;
    /// Returns the TOML of a scene that shows a dropped groom or mesh.
    sceneFor(file: SceneFile): Promise<string>;
    close(): void;
}
