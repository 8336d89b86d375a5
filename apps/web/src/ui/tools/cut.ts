/// Cuts the strands that the pointer is dragged across.

import type { Press, Tool, Workbench } from './tool';
import { rayAt } from './pick';

const raySpacing = 5; // distance between rays along a drag [px]
const cutWidth = 0.4; // width of the cut relative to the picking cone

export class CutTool implements Tool {
    readonly name = 'cut';
    readonly icon = 'cut';
    readonly label = 'Cut';
    readonly hint = 'Drag across strands to cut them. Strings fall apart; cut-off hair disappears. Restart undoes it.';
    private waiting: { x: number; y: number }[] = [];
    private cutting = false;
    private cuts = 0;

    constructor(private readonly bench: Workbench) {}

    press(press: Press): boolean {
        this.cuts = 0;
        this.follow(press.x, press.y);
        return true;
    }

    drag(press: Press): void {
        const steps = Math.max(1, Math.ceil(Math.hypot(press.dx, press.dy) / raySpacing));
        for (let step = 1; step <= steps; ++step) {
            const back = 1 - step / steps;
            this.follow(press.x - press.dx * back, press.y - press.dy * back);
        }
    }

    lift(): void {
        this.bench.overlay.endTrace();
        void this.cutAll().then(() => {
            const vanishes = this.bench.session.info?.strands.some((part) => !part.string);
            const count = this.cuts === 1 ? 'One cut.' : `${this.cuts} cuts.`;
            const after = vanishes ? ' Cut-off hair disappears; Restart restores it.' : '';
            if (this.cuts) this.bench.messages.confirm(count + after);
        });
    }

    leave(): void {
        this.bench.overlay.endTrace();
    }

    private follow(x: number, y: number): void {
        this.bench.overlay.traceTo(x, y);
        this.waiting.push({ x, y });
        void this.cutAll();
    }

    /// Processes one ray at a time, so that a fast drag does not flood the engine.
    private async cutAll(): Promise<void> {
        if (this.cutting) return;
        this.cutting = true;
        try {
            for (let position = this.waiting.shift(); position; position = this.waiting.shift()) {
                const target = rayAt(this.bench, position.x, position.y);
                if (!target) continue;
                const ray = { ...target.ray, cone: target.ray.cone * cutWidth };
                const cuts = await Promise.all(this.bench.session.simulations.map((one) => one.cut(ray)));
                this.cuts += cuts[0] ?? 0;
                if (cuts.some((count) => count > 0)) this.bench.session.touched.emit();
            }
        } finally {
            this.cutting = false;
        }
    }
}
