/// The status line: size of the scene, speed and number of threads.

import type { Engine } from '../engine/types';
import { el, setText } from './dom';
import type { Loop } from './loop';
import type { Session } from './session';

function count(number: number, noun: string): string {
    return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

export class Status {
    readonly element = el('div', { class: 'status' });
    private readonly size = el('span');
    private readonly pace = el('span', { 'data-testid': 'pace' });
    private readonly threads = el('span');

    constructor(
        private readonly session: Session,
        private readonly loop: Loop,
        engine: Engine,
    ) {
        this.element.append(this.size, this.pace, this.threads);
        setText(this.threads, engine.threads > 1 ? `${engine.threads} threads` : '1 thread');
        this.threads.title =
            engine.threads > 1
                ? `Engine ${engine.version}, ${engine.simd}`
                : 'The page is not cross-origin isolated (COOP and COEP headers), so the engine has only one thread.';
        setInterval(() => this.update(), 300);
    }

    private update(): void {
        const { info } = this.session;
        if (!info) return;
        const strands = info.strands.reduce((sum, part) => sum + part.strands, 0);
        setText(this.size, `${count(strands, 'strand')}, ${count(info.particles, 'particle')}`);
        setText(this.pace, this.paceText());
        const slow = this.loop.playing && this.loop.settling === 0 && this.loop.pace > 0 && this.loop.pace < 0.9 * this.loop.speed;
        this.pace.classList.toggle('slow', slow);
    }

    private paceText(): string {
        if (this.loop.settling > 0) return `settling, ${Math.round(100 * (1 - this.loop.settling))} %`;
        if (!this.loop.playing) return `paused at ${this.loop.time.toFixed(2)} s`;
        return `${this.loop.pace.toFixed(2)}× real time`;
    }
}
