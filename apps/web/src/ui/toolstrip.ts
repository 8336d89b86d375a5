/// The tool strip, where one tool is active.

import { el } from './dom';
import { icon } from './icons';
import type { Pointers } from './tools/pointers';
import type { Tool } from './tools/tool';

export class ToolStrip {
    readonly element = el('div', { class: 'tools', role: 'radiogroup', 'aria-label': 'Tools' });
    private readonly buttons: HTMLButtonElement[];

    constructor(
        private readonly tools: Tool[],
        private readonly pointers: Pointers,
        private readonly canvas: HTMLElement,
    ) {
        this.buttons = tools.map((tool, index) => this.button(tool, index));
        this.element.append(...this.buttons);
        this.element.addEventListener('keydown', (event) => this.walk(event));
        this.mark();
    }

    choose(index: number): void {
        this.pointers.use(this.tools[index]);
        this.mark();
    }

    private button(tool: Tool, index: number): HTMLButtonElement {
        return el(
            'button',
            {
                type: 'button',
                class: 'tool',
                role: 'radio',
                'data-tool': tool.name,
                title: `${tool.hint} (${index + 1})`,
                onclick: () => this.choose(index),
            },
            icon(tool.icon),
            el('span', {}, tool.label),
        );
    }

    /// Arrow keys change the choice, as in any group of radio buttons.
    private walk(event: KeyboardEvent): void {
        const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const next = (this.tools.indexOf(this.pointers.tool) + by + this.tools.length) % this.tools.length;
        this.choose(next);
        this.buttons[next].focus();
    }

    private mark(): void {
        this.tools.forEach((tool, index) => {
            const chosen = tool === this.pointers.tool;
            this.buttons[index].setAttribute('aria-checked', String(chosen));
            this.buttons[index].tabIndex = chosen ? 0 : -1;
        });
        this.canvas.dataset.tool = this.pointers.tool.name;
    }
}
