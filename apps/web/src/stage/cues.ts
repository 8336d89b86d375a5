/// Visual cues for user actions: a ring where a hand holds a strand, streaks where wind blows.
import {
    BufferGeometry, DoubleSide, GLSL3, Group, Mesh, PerspectiveCamera, PlaneGeometry, RawShaderMaterial, RingGeometry,
    Vector3, Vector4,
} from 'three';
import type { Vec3 } from '../engine/types';
import type { Theme } from './studio';

const vertex = /* glsl */ `
precision highp float;
in vec3 position;
uniform mat4 modelViewMatrix, projectionMatrix;
out vec2 at;
void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
`;
const fragment = /* glsl */ `
precision mediump float;
in vec2 at;
uniform vec4 colour;
uniform float streak;   // 1 to fade towards the ends
out vec4 screen;
void main()
{
    float fade = mix(1.0, smoothstep(0.5, 0.0, abs(at.x)) * smoothstep(0.5, 0.1, abs(at.y)), streak);
    screen = vec4(colour.rgb, colour.a * fade);
}
`;
const ringPixels = 9, streaks = 5, streakPixels = 1.6;
const maxWind = 12; // wind speed at which streaks are longest [m/s]

export class Cues {
    readonly group = new Group();
    private readonly ring: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly wind: Mesh<BufferGeometry, RawShaderMaterial>[] = [];
    private hand: Vector3 | null = null;
    private blow: { from: Vector3; along: Vector3; strength: number } | null = null;
    private readonly start = performance.now();

    constructor(theme: Theme) {
        this.ring = new Mesh(new RingGeometry(0.78, 1, 40), material(0));
        const streak = new PlaneGeometry(1, 1);
        for (let i = 0; i < streaks; ++i) this.wind.push(new Mesh(streak, material(1)));
        this.group.add(this.ring, ...this.wind);
        for (const mesh of [this.ring, ...this.wind]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 10;
            mesh.visible = false;
        }
        this.setTheme(theme);
    }

    setTheme(theme: Theme) {
        const ink = theme === 'dark' ? 1 : 0.08;
        for (const mesh of [this.ring, ...this.wind])
            (mesh.material.uniforms['colour']!.value as Vector4).set(ink, ink, ink, theme === 'dark' ? 0.75 : 0.65);
    }

    showHand(position: Vec3 | null) {
        this.hand = position && new Vector3(...position);
    }

    showWind(from: Vec3 | null, direction: Vec3, strength: number) {
        const along = new Vector3(...direction);
        this.blow = from && along.lengthSq() > 0 && strength > 0
            ? { from: new Vector3(...from), along: along.normalize(), strength }
            : null;
    }

    /// Whether wind streaks are shown, which move.
    get moving() {
        return this.blow !== null;
    }

    /// `pixel` is the size of a pixel at distance 1.
    update(camera: PerspectiveCamera, origin: Vector3, pixel: number) {
        this.ring.visible = this.hand !== null;
        if (this.hand) {
            this.ring.position.copy(this.hand).sub(origin);
            this.ring.quaternion.copy(camera.quaternion);
            this.ring.scale.setScalar(ringPixels * pixel * this.ring.position.distanceTo(camera.position));
        }
        this.wind.forEach((mesh, i) => this.placeStreak(mesh, i, camera, origin, pixel));
    }

    private placeStreak(mesh: Mesh, i: number, camera: PerspectiveCamera, origin: Vector3, pixel: number) {
        mesh.visible = this.blow !== null;
        if (!this.blow) return;
        const { along, strength } = this.blow;
        const from = this.blow.from.clone().sub(origin), distance = from.distanceTo(camera.position);
        const reach = 110 * pixel * distance * (0.4 + Math.min(1, strength / maxWind));
        const toEye = camera.position.clone().sub(from).normalize();
        const side = along.clone().cross(toEye);
        if (side.lengthSq() < 1e-6) side.set(1, 0, 0);
        side.normalize();
        const time = (performance.now() - this.start) / 1000;
        const phase = (time * (0.6 + 0.12 * strength) + 0.37 * i) % 1;
        const sideOffset = (i - (streaks - 1) / 2) * 9 * pixel * distance;
        mesh.position.copy(from).addScaledVector(along, phase * reach).addScaledVector(side, sideOffset);
        mesh.matrixAutoUpdate = false;
        const length = 0.55 * reach * Math.sin(Math.PI * phase), width = streakPixels * pixel * distance;
        mesh.matrix.makeBasis(along.clone().multiplyScalar(length), side.multiplyScalar(width), toEye);
        mesh.matrix.setPosition(mesh.position);
        mesh.matrixWorldNeedsUpdate = true;
    }

    dispose() {
        for (const mesh of [this.ring, ...this.wind]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}

function material(streak: number) {
    return new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms: { colour: { value: new Vector4() }, streak: { value: streak } },
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: DoubleSide,
    });
}
