/// Handles keyboard shortcuts, and shows the dialog that lists them.

import { el, isTextField } from './dom';
import { closeOnBackdrop, dialogHead } from './gallery';

export interface Shortcut {
    keys: string[]; // KeyboardEvent.key, with modifiers as in "Control+z" or "Control+Shift+z"
    shown: string;
    does: string;
    run: (event: KeyboardEvent) => void;
    /// Works only while the picture has the focus.
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
            dialogHead('help-title', 'Keyboard shortcuts', this.element),
            el('dl', { class: 'dialog-body keys' }, ...this.shortcuts.filter((one) => one.shown).map(row)),
        );
    }

    private handle(event: KeyboardEvent): void {
        if (isTextField(event.target) || document.querySelector('dialog[open]')) return;
        const onPicture = event.target === this.canvas;
        if (!onPicture && ownKeys(event)) return;
        if (event.altKey) return;
        const name = nameOf(event);
        const found = this.shortcuts.find((one) => one.keys.includes(name) && (!one.onPicture || onPicture));
        if (!found) return;
        event.preventDefault();
        found.run(event);
    }
}

function nameOf(event: KeyboardEvent): string {
    const command = event.ctrlKey || event.metaKey;
    return command ? `Control+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}` : event.key;
}

/// Keys that the focused element needs for itself.
function ownKeys(event: KeyboardEvent): boolean {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLSelectElement) return key !== 'Escape';
    if (target instanceof HTMLInputElement) return key === ' ' || key.startsWith('Arrow');
    return (key === ' ' || key === 'Enter') && target.matches('button, summary, a');
}
