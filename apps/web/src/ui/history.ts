/// Undo and redo for values, solver and scene.

import { Event } from './events';
import type { Session, Setup } from './session';

const mergeWindow = 900; // changes of one key within this time are merged [ms]

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

    /// Runs a job that changes the setup and remembers the previous setup. Quick successive changes with the same
    /// `key`, such as dragging a slider, count as one.
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
        const continues = key === this.lastKey && now - this.lastTime < mergeWindow && this.past.length > 0;
        this.lastKey = key;
        this.lastTime = now;
        if (!continues) this.past.push(before);
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

    /// Runs jobs one after another, because each must see the setup that the previous one left.
    private inOrder(job: () => Promise<void>): Promise<void> {
        const result = this.queue.then(job);
        this.queue = result.catch(() => undefined);
        return result;
    }
}
