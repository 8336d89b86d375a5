/// The dark or light theme. It follows the system until the user chooses one.

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
            // Storage may be disabled. The choice then lasts until the page is closed.
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
