/// Small pictures of the gallery's scenes. The engine makes each when it is first seen: none has to be shipped, and the
/// first picture of the page waits for none of them.

import type { Engine } from '../engine/types';
import type { Stage } from '../stage/stage';
import { el } from './dom';
import type { Catalogue } from './scenes';
import type { ThemeName } from './theme';

const looks = 6; // at the simulation, so that strands hang before they are shown
const between = 1 / 30; // [s]

export class Thumbnails {
    /// What they are drawn on. It has to be on the page to have a size.
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
            for (let look = 0; look < looks; ++look) {
                const frame = await simulation.advance(between);
                if (look + 1 === looks) this.stage.update(0, frame);
                simulation.done(frame);
            }
            return await this.stage.snapshot();
        } finally {
            this.stage.show([]);
            simulation.close();
        }
    }
}
