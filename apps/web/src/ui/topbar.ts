/// The bar at the top. On narrow pages its transport controls are at the bottom.

import { el, setText } from './dom';
import { icon, setIcon, type IconName } from './icons';
import { speeds } from './link';

export interface Actions {
    gallery(): void;
    setSolver(solver: string): void;
    togglePlay(): void;
    step(): void;
    setSpeed(factor: number): void;
    reset(): void;
    restart(): void;
    undo(): void;
    redo(): void;
    share(): void;
    copyToml(): void;
    record(): void;
    snapshot(): void;
    chooseFile(): void;
    frame(): void;
    toggleTheme(): void;
    help(): void;
    tune(): void;
    stats(): void;
}

export class TopBar {
    readonly element: HTMLElement;
    readonly scene = el('span', { class: 'scene-name' });
    readonly solver = el('select', { 'aria-label': 'Solver', class: 'solver', 'data-testid': 'solver' });
    readonly play: HTMLButtonElement;
    readonly speed: HTMLSelectElement;
    readonly undo: HTMLButtonElement;
    readonly redo: HTMLButtonElement;
    readonly record: HTMLButtonElement;
    readonly theme: HTMLButtonElement;
    readonly tune: HTMLButtonElement;
    readonly stats: HTMLButtonElement;

    constructor(actions: Actions) {
        this.play = button('pause', 'Pause', 'Space', actions.togglePlay);
        this.play.classList.add('primary');
        this.undo = button('undo', 'Undo', 'Ctrl+Z', actions.undo);
        this.redo = button('redo', 'Redo', 'Ctrl+Shift+Z', actions.redo);
        this.record = button('record', 'Record a film', 'V', actions.record);
        this.theme = button('sun', 'Light theme', 'D', actions.toggleTheme);
        this.tune = panelButton('tune', 'Tune', 'T', actions.tune);
        this.stats = panelButton('stats', 'Stats', 'M', actions.stats);
        this.speed = el(
            'select',
            { 'aria-label': 'Speed', class: 'speed', title: 'Slow motion ([ and ])' },
            ...speeds.map(([label, factor]) => el('option', { value: factor }, label === '1' ? '1×' : `${label}×`)),
        );
        this.speed.addEventListener('change', () => actions.setSpeed(Number(this.speed.value)));
        this.solver.addEventListener('change', () => actions.setSolver(this.solver.value));
        const menu = this.menu(actions);
        this.element = el(
            'header',
            { class: 'bar' },
            el(
                'div',
                { class: 'bar-left' },
                el('h1', { class: 'brand' }, 'Tendril'),
                el(
                    'button',
                    {
                        type: 'button',
                        class: 'button gallery-button',
                        title: 'Scenes (G)',
                        'aria-haspopup': 'dialog',
                        onclick: actions.gallery,
                    },
                    this.scene,
                    icon('chevron'),
                ),
                this.solver,
            ),
            el(
                'div',
                { class: 'transport', role: 'group', 'aria-label': 'Time' },
                this.play,
                button('step', 'Single step', '.', actions.step),
                this.speed,
                button('rest', 'Reset strands', 'Shift+R', actions.reset),
                button('restart', 'Restart', 'R', actions.restart),
                el('span', { class: 'grow' }),
                el('div', { class: 'panel-buttons' }, this.tune, this.stats),
            ),
            menu,
        );
    }

    setSolvers(choices: string[]): void {
        if (this.solver.options.length) return;
        this.solver.append(...choices.map((choice) => el('option', { value: choice }, choice)));
    }

    setPlaying(playing: boolean): void {
        setIcon(this.play, playing ? 'pause' : 'play');
        rename(this.play, playing ? 'Pause' : 'Play', 'Space');
    }

    setRecording(recording: boolean): void {
        setIcon(this.record, recording ? 'stop' : 'record');
        rename(this.record, recording ? 'Stop recording' : 'Record a film', 'V');
        this.record.classList.toggle('recording', recording);
    }

    setTheme(name: string): void {
        setIcon(this.theme, name === 'dark' ? 'sun' : 'moon');
        rename(this.theme, name === 'dark' ? 'Light theme' : 'Dark theme', 'D');
    }

    private menu(actions: Actions): HTMLElement {
        const items = el(
            'div',
            { class: 'actions', id: 'actions' },
            this.undo,
            this.redo,
            el('i', { class: 'gap' }),
            button('link', 'Copy link', 'L', actions.share),
            button('copy', 'Copy as TOML', 'C', actions.copyToml),
            button('file', 'Open a file', 'O', actions.chooseFile),
            el('i', { class: 'gap' }),
            this.record,
            button('picture', 'Save a picture', 'P', actions.snapshot),
            button('frame', 'Frame the scene', 'F', actions.frame),
            this.theme,
            button('help', 'Keyboard shortcuts', '?', actions.help),
        );
        const more = button('more', 'More', '', () => setOpen(!items.classList.contains('open')));
        more.classList.add('more');
        more.setAttribute('aria-expanded', 'false');
        more.setAttribute('aria-controls', 'actions');
        const setOpen = (open: boolean) => {
            items.classList.toggle('open', open);
            more.setAttribute('aria-expanded', String(open));
        };
        items.addEventListener('click', () => setOpen(false));
        window.addEventListener('pointerdown', (event) => {
            const inside = [items, more].some((part) => event.target instanceof Node && part.contains(event.target));
            if (!inside) setOpen(false);
        });
        items.addEventListener('keydown', (event) => {
            if (event.key !== 'Escape' || !items.classList.contains('open')) return;
            setOpen(false);
            more.focus();
        });
        return el('div', { class: 'menu' }, more, items);
    }
}

function button(name: IconName, label: string, key: string, act: () => void): HTMLButtonElement {
    const text = el('span', { class: 'button-label' });
    const element = el('button', { type: 'button', class: 'icon-button', onclick: act }, icon(name), text);
    rename(element, label, key);
    return element;
}

function panelButton(name: IconName, label: string, key: string, act: () => void): HTMLButtonElement {
    const element = el('button', { type: 'button', class: 'button panel-button', onclick: act }, icon(name), label);
    element.title = `${label} (${key})`;
    element.setAttribute('aria-expanded', 'false');
    element.dataset.panel = name;
    return element;
}

function rename(element: HTMLElement, label: string, key: string): void {
    element.title = key ? `${label} (${key})` : label;
    element.setAttribute('aria-label', label);
    const text = element.querySelector('.button-label');
    if (text) setText(text, label);
}
