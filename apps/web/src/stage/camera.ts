/// An orbit camera with smooth motion. It keeps turning a little after a quick drag.
import { PerspectiveCamera, Quaternion, Vector3 } from 'three';
import type { CameraInfo, Vec3 } from '../engine/types';

const maxElevation = 1.54; // elevation [rad]
const glideTime = 0.055; // time constant of the motion towards the goal [s]
const swingTime = 0.28; // time constant with which a swing decays [s]

/// Target, azimuth, elevation [rad], distance [m].
export type CameraState = [x: number, y: number, z: number, azimuth: number, elevation: number, distance: number];

export class OrbitCamera {
    readonly camera = new PerspectiveCamera();
    private field = 0.5;
    private home: CameraState = [0, 0, 0, 0, 0, 1];
    private goal: CameraState = [...this.home];
    private current: CameraState = [...this.home];
    private readonly speed = { azimuth: 0, elevation: 0 }; // of the swing [rad/s]
    private readonly upRotation = new Quaternion(); // from y to the scene's up direction

    /// Sets the home position from the scene's camera.
    frame(info: CameraInfo) {
        const up = new Vector3(...info.up);
        this.upRotation.setFromUnitVectors(new Vector3(0, 1, 0), up.lengthSq() > 0 ? up.normalize() : up.set(0, 1, 0));
        const view = new Vector3(...info.eye).sub(new Vector3(...info.target));
        const distance = Math.max(view.length(), 1e-4);
        view.applyQuaternion(this.upRotation.clone().invert()).divideScalar(distance);
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
        this.goal[4] = clamp(state[4], -maxElevation, maxElevation);
        this.goal[5] = clamp(state[5], 0.01 * this.home[5], 50 * this.home[5]);
        this.speed.azimuth = this.speed.elevation = 0;
        const turn = 2 * Math.PI;
        if (how === 'jump') this.current = [...this.goal];
        else this.current[3] += turn * Math.round((this.goal[3] - this.current[3]) / turn); // take the shorter turn
    }

    /// Turns by angles to the right and upwards [rad].
    orbitBy(azimuth: number, elevation: number) {
        this.goal[3] += azimuth;
        this.goal[4] = clamp(this.goal[4] + elevation, -maxElevation, maxElevation);
    }

    /// Moves the scene to the right and upwards, in units of the height of the picture.
    panBy(right: number, up: number) {
        const height = 2 * Math.tan(this.field / 2) * this.goal[5];
        const { x, y } = this.axes(this.goal);
        for (const [axis, amount] of [[x, -right], [y, -up]] as const) {
            this.goal[0] += axis.x * amount * height;
            this.goal[1] += axis.y * amount * height;
            this.goal[2] += axis.z * amount * height;
        }
    }

    /// Zooms by a factor; above 1 moves closer.
    zoomBy(factor: number) {
        this.goal[5] = clamp(this.goal[5] / factor, 0.01 * this.home[5], 50 * this.home[5]);
    }

    /// Keeps turning after the pointer was released [rad/s].
    swingOn(azimuth: number, elevation: number) {
        this.speed.azimuth = azimuth;
        this.speed.elevation = elevation;
    }

    /// Whether the camera is still moving towards its goal.
    get moving() {
        return this.speed.azimuth !== 0 || this.speed.elevation !== 0
            || this.goal.some((value, i) =>
                Math.abs(value - this.current[i]!) > 1e-4 * (i === 3 || i === 4 ? 1 : this.goal[5]));
    }

    advance(seconds: number) {
        const decay = Math.exp(-seconds / swingTime);
        this.orbitBy(this.speed.azimuth * seconds, this.speed.elevation * seconds);
        this.speed.azimuth *= decay;
        this.speed.elevation *= decay;
        if (Math.hypot(this.speed.azimuth, this.speed.elevation) < 0.01) this.speed.azimuth = this.speed.elevation = 0;
        const share = 1 - Math.exp(-seconds / glideTime);
        for (let i = 0; i < 6; ++i) this.current[i]! += (this.goal[i]! - this.current[i]!) * share;
    }

    /// Updates the three.js camera, relative to `origin`.
    updateCamera(origin: Vector3, aspect: number) {
        const { x, y, z } = this.axes(this.current), [tx, ty, tz, , , distance] = this.current;
        const camera = this.camera;
        camera.fov = this.field * 180 / Math.PI;
        // A narrow picture shows as much horizontally as a square one.
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
        return [this.current[0], this.current[1], this.current[2]];
    }

    private axes(state: CameraState) {
        const [, , , azimuth, elevation] = state, c = Math.cos(elevation);
        const z = new Vector3(Math.sin(azimuth) * c, Math.sin(elevation), Math.cos(azimuth) * c);
        const x = new Vector3(Math.cos(azimuth), 0, -Math.sin(azimuth));
        z.applyQuaternion(this.upRotation);
        x.applyQuaternion(this.upRotation);
        return { x, y: z.clone().cross(x), z };
    }
}

function clamp(value: number, least: number, most: number) {
    return Math.min(Math.max(value, least), most);
}
