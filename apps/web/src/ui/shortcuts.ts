/// Keys, and the dialog that lists them.

import { el, isTextField } from './dom';
import { closeOnBackdrop, dialogHead } from './gallery';

export interface Shortcut {
    keys: string[]; // as KeyboardEvent.key has them, "Control+z" and "Control+Shift+Z" with modifiers
    shown: string;
    does: string;
    run: (event: KeyboardEvent) => void;
    /// Only while the picture has the focus.
    onPicture?: boolean;
}

export class Shortcuts {
    readonly element = el('dialog', { class: 'dialog help', 'aria-labelledby': 'help-title' });

    constructor(
        private readonly shortcuts: Shortcut[],
        private readonly canvas: HTMLElement,
    ) {
        closeOnBackdrop(this.element);
        window.addEventListener('keydown', (event) => this.handle(event));
    }

    show(): void {
        if (!this.element.childElementCount) this.build();
        this.element.showModal();
    }

    private build(): void {
        const row = ({ shown, does }: Shortcut) =>
            el('div', {}, el('dt', {}, ...shown.split(' ').map((key) => el('kbd', {}, key))), el('dd', {}, does));
        this.element.append(
            dialogHead('help-title', 'Keys', this.element),
            el('dl', { class: 'dialog-body keys' }, ...this.shortcuts.filter((one) => one.shown).map(row)),
        );
    }

    private handle(event: KeyboardEvent): void {
        if (isTextField(event.target) || document.querySelector('dialog[open]')) return;
        const onPicture = event.target === this.canvas;
        if (!onPicture && ownKeys(event)) return;
        const name = (event.ctrlKey || event.metaKey ? 'Control+' : '') + (event.ctrlKey && event.shiftKey ? 'Shift+' : '') + event.key;
        if (event.altKey) return;
        const found = this.shortcuts.find((one) => one.keys.includes(name) && (!one.onPicture || onPicture));
        if (!found) return;
        event.preventDefault();
        found.run(event);
    }
}

/// Keys that the focused element needs for itself.
function ownKeys(event: KeyboardEvent): boolean {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLSelectElement) return key !== 'Escape';
    if (target instanceof HTMLInputElement) return key === ' ' || key.startsWith('Arrow');
    return (key === ' ' || key === 'Enter') && target.matches('button, summary, a');
}
