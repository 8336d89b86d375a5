/// Thumbnails of the gallery's scenes. The engine renders each one when it first becomes visible, so none are shipped
/// and none delay the first picture of the page.

import type { Engine } from '../engine/types';
import type { Stage } from '../stage/stage';
import { el } from './dom';
import type { Catalogue } from './scenes';
import type { ThemeName } from './theme';

const frameCount = 6; // frames to simulate, so that strands hang before they are shown
const frameTime = 1 / 30; // duration of a frame [s]

export class Thumbnails {
    /// The canvas to draw on. It must be on the page to have a size.
    readonly canvas = el('canvas', { class: 'thumbnail-maker', 'aria-hidden': 'true' });
    private stage: Stage | null = null;

    constructor(
        private readonly engine: Engine,
        private readonly catalogue: Catalogue,
    ) {}

    async make(name: string, theme: ThemeName): Promise<Blob> {
        const { Stage } = await import('../stage/stage');
        this.stage ??= new Stage(this.canvas, { theme, adaptive: false });
        this.stage.setTheme(theme);
        const { toml, overrides, files } = await this.catalogue.source(name);
        const simulation = await this.engine.open(toml, name, overrides, files);
        try {
            this.stage.show([simulation.info]);
            for (let index = 0; index < frameCount; ++index) {
                const frame = await simulation.advance(frameTime);
                if (index + 1 === frameCount) this.stage.update(0, frame);
                simulation.done(frame);
            }
            return await this.stage.snapshot();
        } finally {
            this.stage.show([]);
            simulation.close();
        }
    }
}
