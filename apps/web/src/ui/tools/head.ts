/// Moves a body: drags move it parallel to the picture plane; with Shift or the right button they turn it.

import type { Quaternion, Vec3 } from '../../engine/types';
import { add, after, subtract, turnAbout } from '../vectors';
import type { Press, Tool, Workbench } from './tool';

const turnPerPixel = 0.008; // [rad]

interface Displacement {
    offset: Vec3;
    rotation: Quaternion;
}

export class HeadTool implements Tool {
    readonly name = 'head';
    readonly icon = 'head';
    readonly label = 'Head';
    readonly hint = 'Drag to move the head or body. Hold Shift, the right button or a second finger to turn it.';
    private displacements = new Map<number, Displacement>();
    private bodies: { position: Vec3 }[] = [];
    private dragged: { body: number; last: Vec3; through: Vec3 } | null = null;

    constructor(private readonly bench: Workbench) {
        bench.session.opened.on(() => {
            this.displacements.clear();
            this.dragged = null;
        });
        bench.loop.frames.on((frames) => (this.bodies = frames[0].bodies));
    }

    forget(): void {
        this.displacements.clear();
    }

    press(press: Press): boolean {
        const body = this.nearest(press);
        if (body === null) {
            this.bench.messages.say('This scene has no body that you can move.');
            return false;
        }
        const through = this.bodies[body]?.position ?? [0, 0, 0];
        const last = this.bench.stage.planePoint(press.x, press.y, through);
        this.dragged = { body, last, through };
        return true;
    }

    drag(press: Press): void {
        if (!this.dragged) return;
        const { body, through, last } = this.dragged;
        const displacement = this.displacements.get(body) ?? { offset: [0, 0, 0], rotation: [0, 0, 0, 1] };
        if (press.turning) {
            const [, , , azimuth] = this.bench.stage.cameraState();
            const right: Vec3 = [Math.cos(azimuth), 0, -Math.sin(azimuth)];
            const nod = turnAbout(right, press.dy * turnPerPixel);
            const turn = after(turnAbout([0, 1, 0], press.dx * turnPerPixel), nod);
            displacement.rotation = after(turn, displacement.rotation);
        } else {
            const to = this.bench.stage.planePoint(press.x, press.y, through);
            displacement.offset = add(displacement.offset, subtract(to, last));
            this.dragged.last = to;
        }
        this.displacements.set(body, displacement);
        for (const simulation of this.bench.session.simulations)
            simulation.moveBody(body, displacement.offset, displacement.rotation);
        this.bench.session.touched.emit();
    }

    lift(): void {
        this.dragged = null;
    }

    /// The movable body nearest to the pointer.
    private nearest(press: Press): number | null {
        let best: number | null = null;
        let bestDistance = Infinity;
        const { panel } = this.bench.stage.ray(press.x, press.y);
        this.bench.session.info?.bodies.forEach((body, index) => {
            const seen = this.bodies[index] && this.bench.stage.project(this.bodies[index].position, panel);
            const distance = seen ? Math.hypot(seen.x - press.x, seen.y - press.y) : 1e9;
            if (body.movable && distance < bestDistance) [best, bestDistance] = [index, distance];
        });
        return best;
    }
}
