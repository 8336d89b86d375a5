/// Blows wind from the eye through the pointer. It bends with the drag and grows stronger the longer the pointer is
/// pressed.

import type { Vec3 } from '../../engine/types';
import { add, scale, subtract, unit } from '../vectors';
import type { Press, Tool, Workbench } from './tool';
import { rayAt } from './pick';

const minSpeed = 2; // initial speed [m/s]
const maxSpeed = 14; // highest speed [m/s]
const growthTime = 1.2; // time constant of the growth [s]
const bend = 1.5; // weight of the drag's velocity [m/s] against the unit view direction
const driftDecay = 0.25; // time constant with which the drag's velocity decays [s]

export class WindTool implements Tool {
    readonly name = 'wind';
    readonly icon = 'wind';
    readonly label = 'Wind';
    readonly hint = 'Press to blow wind, which grows stronger the longer you press. Drag to bend it.';
    private press_: Press | null = null;
    private pressed = 0;
    private drift: Vec3 = [0, 0, 0];
    private last: Vec3 | null = null;

    constructor(private readonly bench: Workbench) {}

    press(press: Press): boolean {
        this.press_ = press;
        this.pressed = 0;
        this.drift = [0, 0, 0];
        this.last = this.pointAt(press);
        this.offerAirDrag();
        return true;
    }

    drag(press: Press): void {
        this.press_ = press;
    }

    lift(): void {
        this.press_ = null;
        this.blow(null);
        this.bench.stage.showWind(null);
    }

    leave(): void {
        if (this.press_) this.lift();
    }

    tick(seconds: number): void {
        const press = this.press_;
        if (!press || seconds <= 0) return;
        this.pressed += seconds;
        const now = this.pointAt(press);
        if (this.last) {
            const fade = Math.exp(-seconds / driftDecay);
            const velocity = scale(subtract(now, this.last), 1 / seconds);
            this.drift = add(scale(this.drift, fade), scale(velocity, 1 - fade));
        }
        this.last = now;
        const target = rayAt(this.bench, press.x, press.y);
        if (!target) return;
        const along = unit(add(target.ray.along, scale(this.drift, bend)));
        const speed = minSpeed + (maxSpeed - minSpeed) * (1 - Math.exp(-this.pressed / growthTime));
        this.blow(scale(along, speed));
        this.bench.stage.showWind(now, along, speed);
    }

    private pointAt(press: Press): Vec3 {
        const [x, y, z] = this.bench.stage.cameraState();
        return this.bench.stage.planePoint(press.x, press.y, [x, y, z]);
    }

    private blow(wind: Vec3 | null): void {
        for (const simulation of this.bench.session.simulations) simulation.blow(wind);
    }

    /// Offers to add air drag, without which wind has no effect. Some scenes have none.
    private offerAirDrag(): void {
        const { session, messages } = this.bench;
        const drag = ['air.drag_normal', 'air.drag_tangential'].map((key) => session.value(key));
        if (!drag.every((value) => value === 0)) return;
        messages.say('This scene has no air drag, so wind has no effect.', {
            action: 'Add air drag',
            act: () => void session.set('air.drag_normal', '2').catch(messages.fail),
            once: 'air',
        });
    }
}
