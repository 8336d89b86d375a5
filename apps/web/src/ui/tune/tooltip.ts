/// One tooltip for all rows, with the meaning, range and default of a key. It appears on hover and on focus.

import type { SceneKey } from '../../engine/types';
import { el, prose } from '../dom';
import { rangeText, toToml } from '../values';

const id = 'tune-tooltip';

export class Tooltip {
    readonly element = el('div', { id, class: 'tooltip', role: 'tooltip', hidden: true });
    private shownFor: HTMLElement | null = null;

    attach(row: HTMLElement, key: SceneKey): void {
        const show = () => this.show(row, key);
        const hide = () => this.hide(row);
        row.addEventListener('pointerenter', show);
        row.addEventListener('pointerleave', () => !row.contains(document.activeElement) && hide());
        row.addEventListener('focusin', show);
        row.addEventListener('focusout', hide);
    }

    hide(row: HTMLElement | null = this.shownFor): void {
        if (row !== this.shownFor) return;
        this.element.hidden = true;
        this.shownFor?.removeAttribute('aria-describedby');
        this.shownFor = null;
    }

    private show(row: HTMLElement, key: SceneKey): void {
        this.hide();
        this.shownFor = row;
        row.setAttribute('aria-describedby', id);
        const range = rangeText(key);
        this.element.replaceChildren(
            el('p', {}, ...prose(key.meaning)),
            el(
                'p',
                { class: 'muted' },
                range && !key.choices.length ? `Range ${range}. ` : '',
                key.default === null ? 'Default: as for all grooms.'
                    : `Default ${toToml(key.default, key)}${key.unit ? ` ${key.unit}` : ''}.`,
                key.live ? '' : ' Changing it restarts the scene.',
            ),
        );
        this.element.hidden = false;
        this.place(row);
    }

    /// Places the tooltip beside the row if there is room, otherwise above or below it.
    private place(row: HTMLElement): void {
        const around = row.getBoundingClientRect();
        const own = this.element.getBoundingClientRect();
        let left = around.left - own.width - 12;
        let top = around.top;
        if (left < 8) {
            left = Math.max(8, Math.min(around.left, innerWidth - own.width - 8));
            top = around.top - own.height - 6;
            if (top < 8) top = around.bottom + 6;
        }
        this.element.style.left = `${left}px`;
        this.element.style.top = `${Math.min(top, innerHeight - own.height - 8)}px`;
    }
}
