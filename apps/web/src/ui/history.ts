/// Undo and redo over values, solver and scene.

import { Event } from './events';
import type { Session, Setup } from './session';

const together = 900; // changes of one key within this time are one [ms]

export class History {
    readonly changed = new Event();
    private past: Setup[] = [];
    private future: Setup[] = [];
    private lastKey = '';
    private lastTime = 0;
    private queue: Promise<unknown> = Promise.resolve();

    constructor(private readonly session: Session) {}

    get canUndo(): boolean {
        return this.past.length > 0;
    }

    get canRedo(): boolean {
        return this.future.length > 0;
    }

    /// Does what changes the setup, and remembers how it was. `key` names what is changed, so that a drag of a slider
    /// is one change.
    record(key: string, job: () => Promise<void>): Promise<void> {
        return this.inOrder(() => this.remember(key, job));
    }

    undo(): Promise<void> {
        return this.inOrder(() => this.go(this.past, this.future));
    }

    redo(): Promise<void> {
        return this.inOrder(() => this.go(this.future, this.past));
    }

    private async remember(key: string, job: () => Promise<void>): Promise<void> {
        const before = this.session.setup;
        await job();
        if (!before || before === this.session.setup) return;
        const now = performance.now();
        const goesOn = key === this.lastKey && now - this.lastTime < together && this.past.length > 0;
        this.lastKey = key;
        this.lastTime = now;
        if (!goesOn) this.past.push(before);
        if (this.past.length > 200) this.past.shift();
        this.future = [];
        this.changed.emit();
    }

    private async go(from: Setup[], to: Setup[]): Promise<void> {
        const target = from.pop();
        const now = this.session.setup;
        if (!target || !now) return;
        this.lastKey = '';
        try {
            await this.session.goTo(target);
            to.push(now);
        } catch (reason) {
            from.push(target);
            throw reason;
        } finally {
            this.changed.emit();
        }
    }

    /// What was before is only known when all that was asked for earlier is done.
    private inOrder(job: () => Promise<void>): Promise<void> {
        const result = this.queue.then(job);
        this.queue = result.catch(() => undefined);
        return result;
    }
}
