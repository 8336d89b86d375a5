/// Grabs and drags strands. Strings tear if they are pulled hard enough.

import type { Hand } from './hands';
import type { Press, Tool, Workbench } from './tool';
import { pickAt } from './pick';

export class GrabTool implements Tool {
    readonly name = 'grab';
    readonly icon = 'grab';
    readonly label = 'Grab';
    readonly hint = 'Drag strands and ropes; pull a string hard to tear it. Drag the background to look around.';
    private readonly held = new Map<number, Hand>();

    constructor(private readonly bench: Workbench) {}

    async press(press: Press): Promise<boolean> {
        const { hands } = this.bench;
        const hit = await pickAt(this.bench, press);
        if (!hit) return false;
        const hand = await hands.grab(hit, false);
        if (press.lifted) hands.release(hand);
        else this.held.set(press.id, hand);
        this.drag(press);
        return true;
    }

    drag(press: Press): void {
        const hand = this.held.get(press.id);
        if (hand) this.bench.hands.move(hand, this.bench.stage.planePoint(press.x, press.y, hand.at));
    }

    lift(press: Press): void {
        const hand = this.held.get(press.id);
        this.held.delete(press.id);
        if (!hand) return;
        // While the simulation is paused, keep holding; releasing at once would have no effect.
        if (this.bench.loop.playing) this.bench.hands.release(hand);
        else this.bench.hands.keep(hand);
    }

    /// Releases everything when another tool is chosen, because no pointer would do it later.
    leave(): void {
        for (const hand of this.held.values()) this.bench.hands.release(hand);
        this.held.clear();
    }
}
