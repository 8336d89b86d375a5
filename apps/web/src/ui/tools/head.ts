/// Takes a body by the hand: drags move it in the plane of the picture, with shift or the right button they turn it.

import type { Quaternion, Vec3 } from '../../engine/types';
import { add, after, subtract, turnAbout } from '../vectors';
import type { Press, Tool, Workbench } from './tool';

const turnPerPixel = 0.008; // [rad]

interface Place {
    offset: Vec3;
    rotation: Quaternion;
}

export class HeadTool implements Tool {
    readonly name = 'head';
    readonly icon = 'head';
    readonly label = 'Head';
    readonly hint = 'Drag to move the head or body; with Shift, the right button or a second finger, turn it.';
    private places = new Map<number, Place>();
    private bodies: { position: Vec3 }[] = [];
    private taken: { body: number; last: Vec3; through: Vec3 } | null = null;

    constructor(private readonly bench: Workbench) {
        bench.session.opened.on(() => {
            this.places.clear();
            this.taken = null;
        });
        bench.loop.frames.on((frames) => (this.bodies = frames[0].bodies));
    }

    forget(): void {
        this.places.clear();
    }

    press(press: Press): boolean {
        const body = this.nearest(press);
        if (body === null) {
            this.bench.messages.say('Nothing in this scene can be moved by hand.');
            return false;
        }
        const through = this.bodies[body]?.position ?? [0, 0, 0];
        const last = this.bench.stage.planePoint(press.x, press.y, through);
        this.taken = { body, last, through };
        return true;
    }

    drag(press: Press): void {
        if (!this.taken) return;
        const { body, through, last } = this.taken;
        const place = this.places.get(body) ?? { offset: [0, 0, 0], rotation: [0, 0, 0, 1] };
        if (press.turning) {
            const [, , , azimuth] = this.bench.stage.cameraState();
            const right: Vec3 = [Math.cos(azimuth), 0, -Math.sin(azimuth)];
            const nod = turnAbout(right, press.dy * turnPerPixel);
            place.rotation = after(after(turnAbout([0, 1, 0], press.dx * turnPerPixel), nod), place.rotation);
        } else {
            const to = this.bench.stage.planePoint(press.x, press.y, through);
            place.offset = add(place.offset, subtract(to, last));
            this.taken.last = to;
        }
        this.places.set(body, place);
        for (const simulation of this.bench.session.simulations)
            simulation.moveBody(body, place.offset, place.rotation);
        this.bench.session.touched.emit();
    }

    lift(): void {
        this.taken = null;
    }

    /// Of the bodies that can be taken, the one nearest to the pointer.
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
