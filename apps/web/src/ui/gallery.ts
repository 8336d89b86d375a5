/// The scenes to choose from.

import type { CatalogueIndex, CatalogueScene, Group } from './catalogue_types';
import { el } from './dom';
import { icon } from './icons';

const groupTitles: Record<Group, string> = {
    hair: 'Hair styles',
    fur: 'Fur',
    ropes: 'Ropes',
    strings: 'Strings',
    papers: 'From the papers',
};

export class Gallery {
    readonly element = el('dialog', { class: 'dialog gallery', 'aria-labelledby': 'gallery-title' });
    private built = false;

    constructor(
        private readonly index: CatalogueIndex,
        private readonly open: (name: string) => void,
        private readonly chooseFile: () => void,
    ) {
        closeOnBackdrop(this.element);
    }

    show(current: string): void {
        if (!this.built) this.build();
        for (const card of this.element.querySelectorAll<HTMLElement>('.card')) {
            if (card.dataset.scene === current) card.setAttribute('aria-current', 'true');
            else card.removeAttribute('aria-current');
        }
        this.element.showModal();
        this.element.querySelector<HTMLElement>('[aria-current]')?.focus();
    }

    private build(): void {
        this.built = true;
        const choose = () => {
            this.element.close();
            this.chooseFile();
        };
        this.element.append(
            dialogHead('gallery-title', 'Scenes', this.element),
            el(
                'div',
                { class: 'dialog-body' },
                ...Object.entries(groupTitles).map(([group, title]) => this.group(group as Group, title)),
                el(
                    'section',
                    { class: 'gallery-own' },
                    el('h3', {}, 'Your own'),
                    el('p', { class: 'muted' }, 'Drop a .toml, .tfx, .hair, .data, .obj, .glb or .usda on the page, or'),
                    el('button', { type: 'button', class: 'button', onclick: choose }, icon('file'), 'Choose a file'),
                ),
                this.leftOut(),
            ),
        );
    }

    private group(group: Group, title: string): HTMLElement {
        const scenes = this.index.scenes.filter((scene) => scene.group === group);
        return el(
            'section',
            {},
            el('h3', {}, title),
            el('div', { class: 'cards' }, ...scenes.map((scene) => this.card(scene))),
        );
    }

    private card(scene: CatalogueScene): HTMLElement {
        const choose = () => {
            this.element.close();
            this.open(scene.name);
        };
        return el(
            'button',
            { type: 'button', class: 'card', 'data-scene': scene.name, onclick: choose },
            el('strong', {}, scene.title),
            el('span', {}, scene.about),
        );
    }

    private leftOut(): HTMLElement | null {
        const { leftOut } = this.index;
        if (!leftOut.length) return null;
        const list = leftOut.map(({ name, why }) => `${name} (${why})`).join(', ');
        return el('p', { class: 'muted small' }, `Only with the program on your machine: ${list}.`);
    }
}

export function dialogHead(id: string, title: string, dialog: HTMLDialogElement): HTMLElement {
    const close = () => dialog.close();
    return el(
        'header',
        { class: 'dialog-head' },
        el('h2', { id }, title),
        el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', onclick: close }, icon('close')),
    );
}

export function closeOnBackdrop(dialog: HTMLDialogElement): void {
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog) dialog.close();
    });
}
