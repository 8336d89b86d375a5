/// Blows from the eye through the pointer, bent by how it is dragged, and harder the longer it is pressed.

import type { Vec3 } from '../../engine/types';
import { add, scale, subtract, unit } from '../vectors';
import type { Press, Tool, Workbench } from './tool';
import { rayAt } from './pick';

const gentle = 2; // [m/s]
const strong = 14;
const growth = 1.2; // time in which it comes near to its strongest [s]
const bend = 1.5; // share of the drag's velocity, at one metre per second, over the view's direction
const calm = 0.25; // time in which the drag's velocity is forgotten [s]

export class WindTool implements Tool {
    readonly name = 'wind';
    readonly icon = 'wind';
    readonly label = 'Wind';
    readonly hint = 'Press to blow, harder the longer; drag to bend the wind along.';
    private press_: Press | null = null;
    private pressed = 0;
    private drift: Vec3 = [0, 0, 0];
    private last: Vec3 | null = null;

    constructor(private readonly bench: Workbench) {}

    press(press: Press): boolean {
        this.press_ = press;
        this.pressed = 0;
        this.drift = [0, 0, 0];
        this.last = this.pointed(press);
        this.offerAir();
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
        const now = this.pointed(press);
        if (this.last) {
            const fade = Math.exp(-seconds / calm);
            const velocity = scale(subtract(now, this.last), 1 / seconds);
            this.drift = add(scale(this.drift, fade), scale(velocity, 1 - fade));
        }
        this.last = now;
        const seen = rayAt(this.bench, press.x, press.y);
        if (!seen) return;
        const along = unit(add(seen.ray.along, scale(this.drift, bend)));
        const speed = gentle + (strong - gentle) * (1 - Math.exp(-this.pressed / growth));
        this.blow(scale(along, speed));
        this.bench.stage.showWind(now, along, speed);
    }

    private pointed(press: Press): Vec3 {
        const [x, y, z] = this.bench.stage.cameraState();
        return this.bench.stage.planePoint(press.x, press.y, [x, y, z]);
    }

    private blow(wind: Vec3 | null): void {
        for (const simulation of this.bench.session.simulations) simulation.blow(wind);
    }

    /// Wind acts through the drag of the air, which some scenes have none of.
    private offerAir(): void {
        const { session, messages } = this.bench;
        const drag = ['air.drag_normal', 'air.drag_tangential'].map((key) => session.value(key));
        if (!drag.every((value) => value === 0)) return;
        messages.say('This scene has no air, so wind does nothing.', {
            action: 'Add air',
            act: () => void session.set('air.drag_normal', '2').catch(messages.fail),
            once: 'air',
        });
    }
}
