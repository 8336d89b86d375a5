/// The main loop. Once per picture, it asks the engine to advance by the elapsed real time, up to a limit. If the
/// engine is slower than real time, the simulation runs in slow motion and does not fall behind.

import type { Stage } from '../stage/stage';
import type { Frame, Simulation } from '../engine/types';
import { Event } from './events';
import type { Session } from './session';

const maxAdvance = 1 / 30; // most time to advance by at once [s]
const lateTick = 40; // if a picture takes longer, time advances without it [ms]
const awakeFor = 1500; // drawing continues for this long after the last change [ms]

export class Loop {
    playing = true;
    speed = 1;
    steps = 0;
    time = 0;
    settling = 0; // remaining share
    /// Simulated time over real time, during about the last second.
    pace = 0;

    readonly frames = new Event<Frame[]>(); // their arrays are valid only during the call
    readonly ticks = new Event<number>(); // seconds since the last picture
    readonly drawn = new Event();
    readonly stateChanged = new Event();

    private pending: Promise<void> | null = null;
    private lastAdvance = 0;
    private lastTick = 0;
    private awakeUntil = 0;
    private undrawn = 0; // frames since the last picture
    private paceStart = { real: 0, time: 0 };

    constructor(
        private readonly session: Session,
        private readonly stage: Stage,
        private readonly fail: (reason: unknown) => void,
    ) {
        session.touched.on(() => void this.showCurrent());
        session.opened.on(() => {
            this.steps = 0;
            this.paceStart = { real: 0, time: 0 };
            this.undrawn = 0;
            void this.showCurrent();
        });
    }

    start(): void {
        requestAnimationFrame(this.tick);
        setInterval(() => {
            const now = performance.now();
            if (document.visibilityState === 'visible' && now - this.lastTick > lateTick) this.advanceTime(now);
        }, 1000 * maxAdvance / 2);
    }

    /// Keeps drawing for a while, for example because the camera moves.
    wake(): void {
        this.awakeUntil = performance.now() + awakeFor;
    }

    setPlaying(playing: boolean): void {
        this.playing = playing;
        this.lastAdvance = performance.now();
        this.paceStart = { real: 0, time: 0 };
        this.stateChanged.emit();
        this.wake();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.paceStart = { real: 0, time: 0 };
        this.stateChanged.emit();
    }

    /// Shows the current state without advancing time.
    async showCurrent(): Promise<void> {
        while (this.pending) await this.pending;
        await this.request((simulation) => simulation.advance(0));
    }

    async singleStep(): Promise<void> {
        if (this.playing) this.setPlaying(false);
        while (this.pending) await this.pending;
        await this.request((simulation) => simulation.step());
    }

    /// A copy of the points of one part of the first simulation, in world space.
    async positions(part: number): Promise<Float32Array> {
        while (this.pending) await this.pending;
        let points: Float32Array = new Float32Array();
        await this.request(
            (simulation) => simulation.advance(0),
            (frame) => {
                const origin = frame.origins[part];
                points = frame.points[part].map((value, index) => value + origin[index % 3]);
            },
        );
        return points;
    }

    private readonly tick = (now: number): void => {
        requestAnimationFrame(this.tick);
        this.ticks.emit(Math.min((now - this.lastTick) / 1000, 0.1));
        this.lastTick = now;
        this.advanceTime(now);
        if (!this.playing && now > this.awakeUntil && !this.stage.cameraMoves) return;
        if (!this.stage.draw()) return;
        this.undrawn = 0;
        this.drawn.emit();
    };

    private advanceTime(now: number): void {
        if (!this.playing || this.pending || this.session.replacing) return;
        const seconds = Math.min(Math.max(now - this.lastAdvance, 0) / 1000, maxAdvance) * this.speed;
        this.lastAdvance = now;
        void this.request((simulation) => simulation.advance(seconds));
    }

    private request(how: (simulation: Simulation) => Promise<Frame>, onFrame?: (frame: Frame) => void): Promise<void> {
        const generation = this.session.generation;
        const simulations = this.session.simulations;
        if (!simulations.length) return Promise.resolve();
        const answer = Promise.all(simulations.map(how))
            .then((frames) => {
                const current = generation === this.session.generation;
                if (current) this.receive(frames);
                onFrame?.(frames[0]);
                frames.forEach((frame, index) => simulations[index].done(frame));
            })
            .catch((reason: unknown) => {
                // A simulation that was closed meanwhile rejects its calls. Report any other failure.
                if (generation !== this.session.generation || this.session.replacing) return;
                this.setPlaying(false);
                this.fail(reason);
            })
            .finally(() => {
                if (this.pending === answer) this.pending = null;
            });
        this.pending = answer;
        return answer;
    }

    private receive(frames: Frame[]): void {
        // Do not upload frames that a slow GPU would never show.
        if (this.undrawn === 0 || !this.playing) frames.forEach((frame, index) => this.stage.update(index, frame));
        ++this.undrawn;
        this.steps += frames[0].steps;
        this.time = frames[0].time;
        this.settling = frames[0].settling;
        this.measurePace();
        this.frames.emit(frames);
        this.wake();
    }

    private measurePace(): void {
        const now = performance.now();
        const real = (now - this.paceStart.real) / 1000;
        if (this.paceStart.real === 0 || this.time < this.paceStart.time) {
            this.paceStart = { real: now, time: this.time };
        } else if (real > 1) {
            this.pace = (this.time - this.paceStart.time) / real;
            this.paceStart = { real: now, time: this.time };
        }
    }
}
