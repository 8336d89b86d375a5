/// Messages of the page: notes disappear after a while, errors stay until they are dismissed. Screen readers announce
/// both.

import { el } from './dom';
import { icon } from './icons';

interface Offer {
    action?: string;
    act?: () => void;
    /// Messages with the same value are shown once per visit.
    once?: string;
}

const shownFor = 6000; // [ms]

export class Messages {
    readonly element = el('div', { class: 'messages' });
    private readonly notes = el('div', { role: 'status', 'aria-live': 'polite' });
    private readonly errors = el('div', { role: 'alert' });
    private readonly shownOnce = new Set<string>();

    constructor() {
        this.element.append(this.errors, this.notes);
    }

    say(text: string, offer: Offer = {}): void {
        if (offer.once && this.shownOnce.has(offer.once)) return;
        if (offer.once) this.shownOnce.add(offer.once);
        const message = this.message('note', text);
        if (offer.action) {
            const act = () => {
                message.remove();
                offer.act?.();
            };
            const button = el('button', { class: 'link-button', type: 'button', onclick: act }, offer.action);
            message.lastElementChild?.before(button);
        }
        this.notes.replaceChildren(message);
        setTimeout(() => message.remove(), shownFor);
    }

    /// Confirms an action of the user.
    confirm(text: string): void {
        this.say(text);
    }

    readonly fail = (reason: unknown): void => {
        const text = reason instanceof Error ? reason.message : String(reason);
        while (this.errors.childElementCount > 2) this.errors.firstElementChild?.remove();
        this.errors.append(this.message('error', text));
    };

    private message(kind: string, text: string): HTMLElement {
        const message = el('div', { class: `message ${kind}`, 'data-testid': kind }, el('p', {}, text));
        const dismiss = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss' }, icon('close'));
        dismiss.addEventListener('click', () => message.remove());
        message.append(dismiss);
        return message;
    }
}
