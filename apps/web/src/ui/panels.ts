/// The panels on the right. On a narrow page they are a sheet at the bottom, and only one is open at a time.

import { el } from './dom';
import { Event } from './events';
import { icon } from './icons';

export type PanelName = 'tune' | 'stats';

const narrow = matchMedia('(max-width: 760px)');

export class Panels {
    readonly element = el('div', { class: 'panels' });
    readonly changed = new Event();
    private readonly frames = new Map<PanelName, HTMLElement>();
    private readonly open = new Set<PanelName>();

    constructor() {
        narrow.addEventListener('change', () => this.apply());
    }

    add(name: PanelName, title: string, content: HTMLElement): void {
        const close = el('button', { type: 'button', class: 'icon-button' }, icon('close'));
        close.setAttribute('aria-label', `Close ${title}`);
        close.addEventListener('click', () => this.toggle(name));
        const head = el('header', { class: 'panel-head' }, el('h2', {}, title), close);
        const frame = el('section', { class: `panel panel-${name}`, 'aria-label': title, hidden: true }, head, content);
        this.frames.set(name, frame);
        this.element.append(frame);
    }

    isOpen(name: PanelName): boolean {
        return this.open.has(name);
    }

    toggle(name: PanelName): void {
        if (!this.open.delete(name)) {
            if (narrow.matches) this.open.clear();
            this.open.add(name);
        }
        this.apply();
    }

    closeAll(): void {
        this.open.clear();
        this.apply();
    }

    private apply(): void {
        if (narrow.matches && this.open.size > 1) this.open.delete('tune');
        this.frames.forEach((frame, name) => (frame.hidden = !this.open.has(name)));
        document.documentElement.classList.toggle('panels-open', this.open.size > 0);
        this.changed.emit();
    }
}
