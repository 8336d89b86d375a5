/// Scissors: what the pointer is dragged across is cut.

import type { Press, Tool, Workbench } from './tool';
import { rayAt } from './pick';

const apart = 5; // between the rays along a drag [px]
const sharpness = 0.4; // of the cone that picks

export class CutTool implements Tool {
    readonly name = 'cut';
    readonly icon = 'cut';
    readonly label = 'Cut';
    readonly hint = 'Drag across strands to cut them: strings fall apart, ends of hair vanish. Restart brings them back.';
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
        const steps = Math.max(1, Math.ceil(Math.hypot(press.dx, press.dy) / apart));
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
            const after = vanishes ? ' What is cut off hair vanishes; Restart brings it back.' : '';
            if (this.cuts) this.bench.messages.whisper(count + after);
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

    /// One ray after the other: a fast drag must not flood the engine.
    private async cutAll(): Promise<void> {
        if (this.cutting) return;
        this.cutting = true;
        try {
            for (let at = this.waiting.shift(); at; at = this.waiting.shift()) {
                const seen = rayAt(this.bench, at.x, at.y);
                if (!seen) continue;
                const ray = { ...seen.ray, cone: seen.ray.cone * sharpness };
                const cuts = await Promise.all(this.bench.session.simulations.map((one) => one.cut(ray)));
                this.cuts += cuts[0] ?? 0;
                if (cuts.some((count) => count > 0)) this.bench.session.touched.emit();
            }
        } finally {
            this.cutting = false;
        }
    }
}
