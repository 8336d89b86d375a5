/// Dark or light: as the system has it until it is chosen here.

import { Event } from './events';

export type ThemeName = 'dark' | 'light';

const remembered = 'tendril-theme';

export class Theme {
    readonly changed = new Event<ThemeName>();
    private readonly system = matchMedia('(prefers-color-scheme: light)');
    private chosen: ThemeName | null = null;

    constructor() {
        try {
            const stored = localStorage.getItem(remembered);
            if (stored === 'dark' || stored === 'light') this.chosen = stored;
        } catch {
            // Storage may be forbidden; the choice then lasts as long as the page.
        }
        this.system.addEventListener('change', () => this.apply());
        this.apply();
    }

    get name(): ThemeName {
        return this.chosen ?? (this.system.matches ? 'light' : 'dark');
    }

    toggle(): void {
        this.chosen = this.name === 'dark' ? 'light' : 'dark';
        try {
            localStorage.setItem(remembered, this.chosen);
        } catch {
            // See above.
        }
        this.apply();
    }

    private apply(): void {
        document.documentElement.dataset.theme = this.name;
        this.changed.emit(this.name);
    }
}
