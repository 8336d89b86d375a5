/// Applies changes of values to the simulation. Live changes apply at once, one at a time; changes that restart the
/// scene wait until the user pauses.

import { Event } from '../events';
import type { History } from '../history';
import type { Messages } from '../messages';
import type { Session } from '../session';
import { findKey } from '../values';

const restartDelay = 450; // [ms]

export class Changes {
    readonly waiting = new Event<{ key: string; waits: boolean }>();
    private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
    private readonly next = new Map<string, string>();
    private readonly running = new Set<string>();

    constructor(
        private readonly session: Session,
        private readonly history: History,
        private readonly messages: Messages,
    ) {}

    make(key: string, text: string): void {
        this.next.set(key, text);
        if (findKey(this.session.engine.keys, key)?.live) return void this.run(key);
        clearTimeout(this.timers.get(key));
        this.waiting.emit({ key, waits: true });
        this.timers.set(key, setTimeout(() => void this.run(key), restartDelay));
    }

    async setBack(key: string): Promise<void> {
        await this.history.record(`${key} back`, () => this.session.setBack(key)).catch(this.messages.fail);
    }

    private async run(key: string): Promise<void> {
        if (this.running.has(key)) return;
        this.running.add(key);
        try {
            for (let text = this.next.get(key); text !== undefined; text = this.next.get(key)) {
                this.next.delete(key);
                const value = text;
                await this.history.record(key, () => this.session.set(key, value));
            }
        } catch (reason) {
            this.messages.fail(reason);
            this.session.changed.emit(); // controls show the valid value again
        } finally {
            this.running.delete(key);
            this.waiting.emit({ key, waits: false });
        }
    }
}
