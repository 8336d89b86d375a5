/// The keyboard shortcuts.

import { speeds } from './link';
import type { Page } from './page';
import type { Shortcut } from './shortcuts';

const orbitStep = 24; // [px]
const twistNotch = 0.5;

export function makeShortcuts(page: Page): Shortcut[] {
    const { loop, history, panels, toolbox } = page;
    const run = (job: () => void | Promise<void>) => page.attempt(job);
    const tools = ['Orbit', 'Grab', 'Head', 'Wind', 'Cut', 'Twist'];
    return [
        { keys: [' '], shown: 'Space', does: 'Play or pause', run: () => loop.setPlaying(!loop.playing) },
        { keys: ['.'], shown: '.', does: 'Single step', run: run(() => loop.singleStep()) },
        { keys: ['['], shown: '[', does: 'Slower', run: () => changeSpeed(page, 1) },
        { keys: [']'], shown: ']', does: 'Faster', run: () => changeSpeed(page, -1) },
        { keys: ['r'], shown: 'R', does: 'Restart', run: run(() => page.restart()) },
        { keys: ['R'], shown: 'Shift R', does: 'Reset strands', run: run(() => page.session.reset()) },
        ...tools.map((name, index) => ({
            keys: [String(index + 1)],
            shown: String(index + 1),
            does: `Tool: ${name.toLowerCase()}`,
            run: () => toolbox.strip.choose(index),
        })),
        { keys: ['q', 'Q'], shown: 'Q', does: 'Twist one way', run: () => toolbox.pointers.twist(-twistNotch) },
        { keys: ['e', 'E'], shown: 'E', does: 'Twist the other way', run: () => toolbox.pointers.twist(twistNotch) },
        { keys: ['g', 'G'], shown: 'G', does: 'Scenes', run: () => page.showGallery() },
        { keys: ['t', 'T'], shown: 'T', does: 'Tune', run: () => panels.toggle('tune') },
        { keys: ['m', 'M'], shown: 'M', does: 'Stats', run: () => panels.toggle('stats') },
        { keys: ['f', 'F'], shown: 'F', does: 'Frame the scene', run: () => page.frame() },
        { keys: ['p', 'P'], shown: 'P', does: 'Save a picture', run: run(() => page.snapshot()) },
        { keys: ['v', 'V'], shown: 'V', does: 'Start or stop recording', run: run(() => page.record()) },
        { keys: ['c', 'C'], shown: 'C', does: 'Copy the scene as TOML', run: run(() => page.copyToml()) },
        { keys: ['l', 'L'], shown: 'L', does: 'Copy the link', run: run(() => page.share()) },
        { keys: ['o', 'O'], shown: 'O', does: 'Open a file', run: () => page.chooseFile() },
        { keys: ['d', 'D'], shown: 'D', does: 'Dark or light theme', run: () => page.theme.toggle() },
        { keys: ['Control+z'], shown: 'Ctrl Z', does: 'Undo', run: run(() => history.undo()) },
        { keys: ['Control+Shift+z', 'Control+y'], shown: 'Ctrl Shift Z', does: 'Redo', run: run(() => history.redo()) },
        ...pictureKeys(page),
        { keys: ['Escape'], shown: 'Esc', does: 'Release strands, or close panels', run: () => escape(page) },
        { keys: ['?'], shown: '?', does: 'Show this list', run: () => page.shortcuts.show() },
    ];
}

const arrows: Record<string, [x: number, y: number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
};

/// Keys for the focused picture: they move the camera, or the tool that Enter pressed at its centre.
function pictureKeys(page: Page): Shortcut[] {
    const { pointers } = page.toolbox;
    const move = (event: KeyboardEvent) => {
        const [x, y] = arrows[event.key];
        page.loop.wake();
        pointers.keyMove(x * orbitStep, y * orbitStep, event.shiftKey);
    };
    const zoom = (factor: number) => () => {
        page.loop.wake();
        page.stage.zoomBy(factor);
    };
    return [
        {
            keys: Object.keys(arrows),
            shown: '← → ↑ ↓',
            does: 'On the picture: orbit; with Shift, pan; after Enter, drag',
            run: move,
            onPicture: true,
        },
        {
            keys: ['Enter'],
            shown: 'Enter',
            does: 'On the picture: press the tool at the centre, or release it',
            run: () => pointers.keyPress(),
            onPicture: true,
        },
        { keys: ['+', '='], shown: '+', does: 'On the picture: zoom in', run: zoom(1.15), onPicture: true },
        { keys: ['-'], shown: '-', does: 'On the picture: zoom out', run: zoom(1 / 1.15), onPicture: true },
    ];
}

function changeSpeed(page: Page, by: number): void {
    const index = speeds.findIndex(([, factor]) => factor === page.loop.speed);
    page.loop.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, index + by))][1]);
}

function escape(page: Page): void {
    const { pointers, hands } = page.toolbox;
    if (pointers.keyLift()) return;
    if (hands.staying.length) hands.releaseAll();
    else page.panels.closeAll();
}
