/// A row for one setting: its name, its control, and whether it differs from the scene's file.

import type { SceneKey } from '../../engine/types';
import { el } from '../dom';
import { icon } from '../icons';
import type { Session } from '../session';
import type { Changes } from './changes';
import { makeControl, type Control } from './controls';
import type { Tooltip } from './tooltip';

export class Row {
    readonly element: HTMLElement;
    private readonly control: Control;
    private readonly back: HTMLButtonElement;
    private readonly state = el('span', { class: 'row-state' });

    constructor(
        readonly full: string,
        key: SceneKey,
        private readonly session: Session,
        changes: Changes,
        tooltip: Tooltip,
    ) {
        const label = full.replace(/\./g, ' ').replace(/_/g, ' ');
        const value = session.value(full) ?? key.default!;
        this.control = makeControl(key, label, value, (text) => changes.make(full, text));
        this.back = el(
            'button',
            {
                type: 'button',
                class: 'icon-button back',
                'aria-label': `Reset ${label}`,
                title: 'Reset to the value in the file',
            },
            icon('undo'),
        );
        this.back.addEventListener('click', () => void changes.setBack(full));
        const anew = el('span', { class: 'anew', title: 'Restarts the scene', 'aria-hidden': 'true' }, '↻');
        const mark = el('span', { class: 'mark' });
        const name = el('code', {}, key.name);
        this.element = el(
            'div',
            { class: 'row', role: 'group', 'aria-label': label, 'data-key': full },
            el('div', { class: 'row-name' }, mark, name, key.live ? null : anew, this.state),
            this.back,
            this.control.element,
        );
        tooltip.attach(this.element, key);
        this.update();
    }

    update(): void {
        const value = this.session.value(this.full);
        if (value !== undefined) this.control.show(value);
        const changed = this.session.overridden(this.full);
        this.element.classList.toggle('changed', changed);
        this.back.disabled = !changed;
    }

    setWaiting(waits: boolean): void {
        this.state.textContent = waits ? 'restarting' : '';
    }
}
