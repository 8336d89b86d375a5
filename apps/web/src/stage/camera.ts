/// A camera on a sphere around a target. It glides towards where it was sent, and on a little after a swing.
import { PerspectiveCamera, Quaternion, Vector3 } from 'three';
import type { CameraInfo, Vec3 } from '../engine/types';

const steepest = 1.54; // elevation [rad]
const glide = 0.055; // seconds in which most of the way is done
const swing = 0.28; // seconds in which most of a swing is lost

/// Target, azimuth, elevation [rad], distance [m].
export type CameraState = [x: number, y: number, z: number, azimuth: number, elevation: number, distance: number];

export class OrbitCamera {
    readonly camera = new PerspectiveCamera();
    private field = 0.5;
    private home: CameraState = [0, 0, 0, 0, 0, 1];
    private goal: CameraState = [...this.home];
    private now: CameraState = [...this.home];
    private readonly speed = { azimuth: 0, elevation: 0 }; // of a swing [rad/s]
    private readonly upright = new Quaternion(); // from y to where up is

    /// Where a scene wants to be seen from.
    frame(info: CameraInfo) {
        const up = new Vector3(...info.up);
        this.upright.setFromUnitVectors(new Vector3(0, 1, 0), up.lengthSq() > 0 ? up.normalize() : up.set(0, 1, 0));
        const view = new Vector3(...info.eye).sub(new Vector3(...info.target));
        const distance = Math.max(view.length(), 1e-4);
        view.applyQuaternion(this.upright.clone().invert()).divideScalar(distance);
        this.field = info.field > 0 && info.field < 3 ? info.field : 0.5;
        this.home = [...info.target, Math.atan2(view.x, view.z), Math.asin(clamp(view.y, -1, 1)), distance];
    }

    goHome(how: 'jump' | 'glide') {
        this.setState(this.home, how);
    }

    state(): CameraState {
        return [...this.goal];
    }

    setState(state: CameraState, how: 'jump' | 'glide') {
        if (!state.every(Number.isFinite)) return;
        this.goal = [...state];
        this.goal[4] = clamp(state[4], -steepest, steepest);
        this.goal[5] = clamp(state[5], 0.01 * this.home[5], 50 * this.home[5]);
        this.speed.azimuth = this.speed.elevation = 0;
        const turn = 2 * Math.PI;
        if (how === 'jump') this.now = [...this.goal];
        else this.now[3] += turn * Math.round((this.goal[3] - this.now[3]) / turn); // the short way round
    }

    /// By angles [rad]: to the right, upwards.
    orbitBy(azimuth: number, elevation: number) {
        this.goal[3] += azimuth;
        this.goal[4] = clamp(this.goal[4] + elevation, -steepest, steepest);
    }

    /// By shares of the picture's height: the scene moves to the right, upwards.
    panBy(right: number, up: number) {
        const height = 2 * Math.tan(this.field / 2) * this.goal[5];
        const { x, y } = this.axes(this.goal);
        for (const [axis, amount] of [[x, -right], [y, -up]] as const) {
            this.goal[0] += axis.x * amount * height;
            this.goal[1] += axis.y * amount * height;
            this.goal[2] += axis.z * amount * height;
        }
    }

    /// By a factor: above 1 comes nearer.
    zoomBy(factor: number) {
        this.goal[5] = clamp(this.goal[5] / factor, 0.01 * this.home[5], 50 * this.home[5]);
    }

    /// Keeps on turning after the pointer let go [rad/s].
    swingOn(azimuth: number, elevation: number) {
        this.speed.azimuth = azimuth;
        this.speed.elevation = elevation;
    }

    /// Whether it is still on its way.
    get moving() {
        return this.speed.azimuth !== 0 || this.speed.elevation !== 0
            || this.goal.some((value, i) =>
                Math.abs(value - this.now[i]!) > 1e-4 * (i === 3 || i === 4 ? 1 : this.goal[5]));
    }

    advance(seconds: number) {
        const loss = Math.exp(-seconds / swing);
        this.orbitBy(this.speed.azimuth * seconds, this.speed.elevation * seconds);
        this.speed.azimuth *= loss;
        this.speed.elevation *= loss;
        if (Math.hypot(this.speed.azimuth, this.speed.elevation) < 0.01) this.speed.azimuth = this.speed.elevation = 0;
        const share = 1 - Math.exp(-seconds / glide);
        for (let i = 0; i < 6; ++i) this.now[i]! += (this.goal[i]! - this.now[i]!) * share;
    }

    /// Puts the camera where it is now, seen from `origin`.
    place(origin: Vector3, aspect: number) {
        const { x, y, z } = this.axes(this.now), [tx, ty, tz, , , distance] = this.now;
        const camera = this.camera;
        camera.fov = this.field * 180 / Math.PI;
        // A narrow picture shows as much from side to side as a square one does.
        if (aspect < 1) camera.fov = 2 * Math.atan(Math.tan(this.field / 2) / Math.max(aspect, 0.3)) * 180 / Math.PI;
        camera.aspect = aspect;
        camera.near = 0.02 * distance;
        camera.far = 60 * distance;
        camera.position.set(tx, ty, tz).sub(origin).addScaledVector(z, distance);
        camera.matrix.makeBasis(x, y, z).setPosition(camera.position);
        camera.quaternion.setFromRotationMatrix(camera.matrix);
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
    }

    get target(): Vec3 {
        return [this.now[0], this.now[1], this.now[2]];
    }

    private axes(state: CameraState) {
        const [, , , azimuth, elevation] = state, c = Math.cos(elevation);
        const z = new Vector3(Math.sin(azimuth) * c, Math.sin(elevation), Math.cos(azimuth) * c);
        const x = new Vector3(Math.cos(azimuth), 0, -Math.sin(azimuth));
        z.applyQuaternion(this.upright);
        x.applyQuaternion(this.upright);
        return { x, y: z.clone().cross(x), z };
    }
}

function clamp(value: number, least: number, most: number) {
    return Math.min(Math.max(value, least), most);
}
