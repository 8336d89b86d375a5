/// Draws colliders that have no mesh.
import {
    BoxGeometry, CircleGeometry, Group, LatheGeometry, Mesh, Quaternion, RawShaderMaterial, TorusGeometry, Vector2,
    Vector3, type BufferGeometry,
} from 'three';
import type { ColliderInfo, Frame, Vec3 } from '../engine/types';
import type { Bounds } from './bounds';
import { casterMaterial, surfaceMaterial } from './body';
import type { Lighting } from './lighting';

const colour: Vec3 = [0.34, 0.36, 0.39];
const planeSize = 20; // [m]

export class Colliders {
    readonly meshes = new Group();
    readonly casters = new Group();
    private readonly parts: { collider: ColliderInfo; geometry: BufferGeometry; mesh: Mesh; caster: Mesh }[] = [];
    private readonly surface: RawShaderMaterial;
    private readonly shadow = casterMaterial();

    constructor(colliders: ColliderInfo[], lighting: Lighting) {
        this.surface = surfaceMaterial(lighting, colour, 0);
        for (const collider of colliders) {
            if (!collider.visible) continue;
            const geometry = geometryOf(collider);
            const mesh = new Mesh(geometry, this.surface), caster = new Mesh(geometry, this.shadow);
            mesh.frustumCulled = caster.frustumCulled = false;
            this.meshes.add(mesh);
            if (collider.shape !== 'plane') this.casters.add(caster);
            this.parts.push({ collider, geometry, mesh, caster });
        }
    }

    update(frame: Frame, origin: Vector3, bounds: Bounds) {
        const position = new Vector3(), rotation = new Quaternion();
        for (const { collider, mesh, caster } of this.parts) {
            const pose = frame.bodies[collider.body];
            position.set(...(pose?.position ?? [0, 0, 0])).sub(origin);
            rotation.set(...(pose?.rotation ?? [0, 0, 0, 1]));
            for (const one of [mesh, caster]) {
                one.position.copy(position);
                one.quaternion.copy(rotation);
            }
            if (collider.shape === 'plane') continue;
            const sphere = mesh.geometry.boundingSphere!;
            const middle = sphere.center.clone().applyQuaternion(rotation).add(position), r = sphere.radius * 0.6;
            bounds.includePoint(middle.x - r, middle.y - r, middle.z - r);
            bounds.includePoint(middle.x + r, middle.y + r, middle.z + r);
        }
    }

    dispose() {
        for (const { geometry } of this.parts) geometry.dispose();
        this.surface.dispose();
        this.shadow.dispose();
    }
}

/// The geometry of a collider in the frame of its body.
function geometryOf(c: ColliderInfo): BufferGeometry {
    const up = new Vector3(...c.up), along = new Vector3(...c.b).sub(new Vector3(...c.a));
    if (!(up.lengthSq() > 0)) up.set(0, 1, 0);
    let geometry: BufferGeometry;
    switch (c.shape) {
        case 'sphere':
            geometry = capsule(c.radius, c.radius, 0);
            break;
        case 'capsule':
            geometry = capsule(c.radius, c.radiusB, along.length());
            if (along.lengthSq() > 0) up.copy(along);
            break;
        case 'box':
            geometry = new BoxGeometry(...c.size).rotateY(c.spin);
            break;
        case 'plane':
            geometry = new CircleGeometry(planeSize, 64).rotateX(-Math.PI / 2);
            break;
        case 'torus':
            geometry = new TorusGeometry(c.radius, c.radiusB, 32, 96).rotateX(Math.PI / 2);
            break;
    }
    geometry.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up.normalize()));
    geometry.translate(...c.a);
    geometry.computeBoundingSphere();
    return geometry;
}

/// A tapered capsule along y from the origin: two spheres and the cone tangent to both.
function capsule(radius: number, radiusB: number, length: number) {
    const steps = 20, profile: Vector2[] = [];
    const lean = (radius - radiusB) / Math.max(length, 1e-9);
    if (Math.abs(lean) >= 1) {
        const larger = Math.max(radius, radiusB), at = radius >= radiusB ? 0 : length;
        arc(profile, larger, at, -Math.PI / 2, Math.PI / 2, 2 * steps);
    } else {
        const touch = Math.asin(lean);
        arc(profile, radius, 0, -Math.PI / 2, touch, steps);
        arc(profile, radiusB, length, touch, Math.PI / 2, steps);
    }
    return new LatheGeometry(profile, 48);
}

function arc(profile: Vector2[], radius: number, middle: number, from: number, to: number, steps: number) {
    for (let i = 0; i <= steps; ++i) {
        const angle = from + (to - from) * i / steps;
        profile.push(new Vector2(Math.max(0, radius * Math.cos(angle)), middle + radius * Math.sin(angle)));
    }
}
