import './ui/style/base.css';
import './ui/style/layout.css';
import './ui/style/controls.css';
import './ui/style/panels.css';
import './ui/style/narrow.css';

import { startEngine } from './engine/client';
import { Page } from './ui/page';
import { Messages } from './ui/messages';
import { Catalogue } from './ui/scenes';
import { Theme } from './ui/theme';
import { exposePage } from './ui/api';
import { el } from './ui/dom';

// Load the engine, the stage and the catalogue in parallel.
const engine = startEngine();
const catalogue = Catalogue.load();
const stageModule = import('./stage/stage');

const messages = new Messages();
const canvas = el('canvas', {
    id: 'picture',
    tabindex: 0,
    'aria-label': 'Simulation view. Arrow keys orbit, plus and minus zoom, Enter applies the tool at the centre.',
});
document.body.prepend(canvas, messages.element);

async function start(): Promise<Page> {
    const theme = new Theme();
    const { Stage } = await stageModule;
    const stage = new Stage(canvas, { theme: theme.name });
    const page = new Page(await engine, await catalogue, stage, canvas, messages, theme);
    await page.start();
    return page;
}

exposePage(
    start().catch((reason: unknown) => {
        document.documentElement.dataset.state = 'error';
        messages.fail(reason);
        throw reason;
    }),
);
