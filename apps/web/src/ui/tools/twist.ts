/// Clamps a string and twists it by dragging around the clamp, with the wheel, or with the keys Q and E. With Shift,
/// drags move the clamp instead. It stays until it is released.

import type { Hand } from './hands';
import type { Press, Tool, Workbench } from './tool';
import { pickAt } from './pick';

const clampRadius = 40; // radius around the clamp within which a press uses it [px]
const perNotch = Math.PI / 6;

export class TwistTool implements Tool {
    readonly name = 'twist';
    readonly icon = 'twist';
    readonly label = 'Twist';
    readonly hint =
        'Press a string to clamp it. Drag around the clamp, or use the wheel or Q and E, to twist it. ' +
        'Shift-drag moves the clamp; Esc releases it.';
    private hand: Hand | null = null;
    private panel = 0;
    private angle: number | null = null; // of the pointer around the clamp [rad]

    constructor(private readonly bench: Workbench) {
        bench.hands.changed.on(() => {
            if (this.hand && !bench.hands.staying.includes(this.hand)) this.forget();
        });
    }

    async press(press: Press): Promise<boolean> {
        const { session, hands, messages } = this.bench;
        this.angle = null;
        if (this.hand && this.distance(press) < clampRadius) return true;
        const hit = await pickAt(this.bench, press);
        if (!hit) return this.hand !== null && this.distance(press) < 3 * clampRadius;
        if (!session.info?.strands[hit.strands]?.string)
            messages.say('Only strings can be twisted. Open a scene with strings, or use the solver chain_shape.', {
                once: 'twist',
            });
        if (this.hand) hands.release(this.hand);
        this.panel = this.bench.stage.ray(press.x, press.y).panel;
        this.hand = await hands.grab(hit, true);
        hands.keep(this.hand);
        return true;
    }

    drag(press: Press): void {
        const { hands, stage } = this.bench;
        if (!this.hand) return;
        if (press.turning) {
            hands.move(this.hand, stage.planePoint(press.x, press.y, this.hand.at));
            return;
        }
        const centre = stage.project(this.hand.at, this.panel);
        if (this.distance(press) < 6) return;
        const angle = Math.atan2(press.y - centre.y, press.x - centre.x);
        if (this.angle !== null) this.turn(Math.atan2(Math.sin(angle - this.angle), Math.cos(angle - this.angle)));
        this.angle = angle;
    }

    lift(): void {
        this.angle = null;
    }

    turnWheel(notches: number): boolean {
        if (!this.hand) return false;
        this.turn(notches * perNotch);
        return true;
    }

    tick(): void {
        const seen = this.hand && this.bench.stage.project(this.hand.at, this.panel);
        if (this.hand && seen?.visible) this.bench.overlay.showTwist(seen.x, seen.y, this.hand.twist);
    }

    leave(): void {
        if (this.hand) this.bench.hands.release(this.hand);
    }

    private turn(by: number): void {
        if (this.hand) this.bench.hands.move(this.hand, this.hand.at, this.hand.twist + by);
    }

    private forget(): void {
        this.hand = null;
        this.bench.overlay.hideTwist();
    }

    private distance(press: Press): number {
        const centre = this.hand && this.bench.stage.project(this.hand.at, this.panel);
        return centre ? Math.hypot(press.x - centre.x, press.y - centre.y) : Infinity;
    }
}
