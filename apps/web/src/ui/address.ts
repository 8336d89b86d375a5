/// Keeps the URL of the page up to date with what it shows.

import type { CameraState, Stage } from '../stage/stage';
import { writeLink } from './link';
import type { Loop } from './loop';
import type { Session } from './session';

const writeDelay = 400; // [ms]

export class Address {
    /// The scene's own camera, which a link can omit.
    private home: CameraState | null = null;
    private written = '';
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly session: Session,
        private readonly stage: Stage,
        private readonly loop: Loop,
    ) {
        session.changed.on(() => this.update());
        loop.stateChanged.on(() => this.update());
    }

    setHome(): void {
        this.home = this.stage.cameraState();
    }

    update(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.write(), writeDelay);
    }

    /// The current URL, or null if a link cannot describe the setup.
    async current(): Promise<string | null> {
        if (!this.session.setup) return null;
        const fragment = await writeLink(this.session.setup, this.view(), this.loop.speed);
        return fragment ? location.href.replace(/#.*$/, '') + fragment : null;
    }

    async write(): Promise<void> {
        const address = await this.current();
        const target = address ?? location.href.replace(/#.*$/, '');
        if (target === this.written) return;
        this.written = target;
        history.replaceState(null, '', target);
    }

    /// Whether the URL was changed by the user and not by this class.
    get changedExternally(): boolean {
        return location.href !== this.written;
    }

    private view(): CameraState | null {
        const now = this.stage.cameraState();
        return this.home?.every((value, index) => Math.abs(value - now[index]) < 1e-3) ? null : now;
    }
}
