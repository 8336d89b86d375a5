/// The dialog with the scenes to choose from.

import type { CatalogueIndex, CatalogueScene, Group } from './catalogue_types';
import { el } from './dom';
import { icon } from './icons';
import type { Theme } from './theme';
import type { Thumbnails } from './thumbnails';

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
    private drawing = false;
    /// Cards that are in view.
    private readonly seen = new Set<HTMLElement>();
    private readonly watcher = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
            if (isIntersecting) this.seen.add(target as HTMLElement);
            else this.seen.delete(target as HTMLElement);
        void this.drawThumbnails();
    });

    constructor(
        private readonly index: CatalogueIndex,
        private readonly thumbnails: Thumbnails,
        private readonly theme: Theme,
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
            this.thumbnails.canvas,
            dialogHead('gallery-title', 'Scenes', this.element),
            el(
                'div',
                { class: 'dialog-body' },
                ...Object.entries(groupTitles).map(([group, title]) => this.group(group as Group, title)),
                el(
                    'section',
                    { class: 'gallery-own' },
                    el('h3', {}, 'Your own files'),
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
        const card = el(
            'button',
            { type: 'button', class: 'card', 'data-scene': scene.name, onclick: choose },
            el('img', { alt: '' }),
            el('strong', {}, scene.title),
            el('span', {}, scene.about),
        );
        this.watcher.observe(card);
        return card;
    }

    /// Draws the thumbnails of visible cards one after another, and only while the gallery is open, because the engine
    /// also runs the current scene.
    private async drawThumbnails(): Promise<void> {
        if (this.drawing) return;
        this.drawing = true;
        const theme = this.theme.name;
        const missing = () => [...this.seen].find((card) => card.dataset.drawn !== theme);
        for (let card = missing(); card && this.element.open; card = missing()) {
            card.dataset.drawn = theme; // even if it fails, it is not tried again
            const picture = await this.thumbnails.make(card.dataset.scene!, theme).catch(() => null);
            const image = card.querySelector('img')!;
            URL.revokeObjectURL(image.src);
            if (picture) image.src = URL.createObjectURL(picture);
        }
        this.drawing = false;
    }

    private leftOut(): HTMLElement | null {
        const { leftOut } = this.index;
        if (!leftOut.length) return null;
        const list = leftOut.map(({ name, why }) => `${name} (${why})`).join(', ');
        return el('p', { class: 'muted small' }, `Available only in the native program: ${list}.`);
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
