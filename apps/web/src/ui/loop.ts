/// Time passes here: once per picture the engine is asked for as much of it as has passed outside, but never for more
/// than it can be expected to give. An engine that is slower than real time shows slow motion, it does not fall behind.

import type { Stage } from '../stage/stage';
import type { Frame, Simulation } from '../engine/types';
import { Event } from './events';
import type { Session } from './session';

const longest = 1 / 30; // time that is asked for at once [s]
const late = 40; // a picture that takes longer does not hold up time [ms]
const awakeFor = 1500; // pictures go on after the last reason for one [ms]

export class Loop {
    playing = true;
    speed = 1;
    steps = 0;
    time = 0;
    settling = 0; // share that is still to come
    /// Simulated over real time, over the last second or so.
    pace = 0;

    readonly frames = new Event<Frame[]>(); // the arrays in them hold only during the call
    readonly ticks = new Event<number>(); // seconds since the last picture
    readonly drawn = new Event();
    readonly stateChanged = new Event();

    private asking: Promise<void> | null = null;
    private lastAsk = 0;
    private lastTick = 0;
    private awakeUntil = 0;
    private undrawn = 0; // frames since the last picture
    private paceStart = { real: 0, time: 0 };

    constructor(
        private readonly session: Session,
        private readonly stage: Stage,
        private readonly fail: (reason: unknown) => void,
    ) {
        session.touched.on(() => void this.look());
        session.opened.on(() => {
            this.steps = 0;
            this.paceStart = { real: 0, time: 0 };
            this.undrawn = 0;
            void this.look();
        });
    }

    start(): void {
        requestAnimationFrame(this.tick);
        setInterval(() => {
            const now = performance.now();
            if (document.visibilityState === 'visible' && now - this.lastTick > late) this.passTime(now);
        }, 1000 * longest / 2);
    }

    /// There is a reason for pictures, such as a camera that moves.
    wake(): void {
        this.awakeUntil = performance.now() + awakeFor;
    }

    setPlaying(playing: boolean): void {
        this.playing = playing;
        this.lastAsk = performance.now();
        this.paceStart = { real: 0, time: 0 };
        this.stateChanged.emit();
        this.wake();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.paceStart = { real: 0, time: 0 };
        this.stateChanged.emit();
    }

    /// Shows how things are now, without letting time pass.
    async look(): Promise<void> {
        while (this.asking) await this.asking;
        await this.ask((simulation) => simulation.advance(0));
    }

    async singleStep(): Promise<void> {
        if (this.playing) this.setPlaying(false);
        while (this.asking) await this.asking;
        await this.ask((simulation) => simulation.step());
    }

    /// A copy of the points of one part of the first simulation, as seen from the world's origin.
    async positions(part: number): Promise<Float32Array> {
        while (this.asking) await this.asking;
        let points: Float32Array = new Float32Array();
        await this.ask(
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
        this.passTime(now);
        if (!this.playing && now > this.awakeUntil && !this.stage.cameraMoves) return;
        if (!this.stage.draw()) return;
        this.undrawn = 0;
        this.drawn.emit();
    };

    private passTime(now: number): void {
        if (!this.playing || this.asking || this.session.exchanging) return;
        const seconds = Math.min(Math.max(now - this.lastAsk, 0) / 1000, longest) * this.speed;
        this.lastAsk = now;
        void this.ask((simulation) => simulation.advance(seconds));
    }

    private ask(how: (simulation: Simulation) => Promise<Frame>, also?: (frame: Frame) => void): Promise<void> {
        const generation = this.session.generation;
        const simulations = this.session.simulations;
        if (!simulations.length) return Promise.resolve();
        const answer = Promise.all(simulations.map(how))
            .then((frames) => {
                const current = generation === this.session.generation;
                if (current) this.receive(frames);
                also?.(frames[0]);
                frames.forEach((frame, index) => simulations[index].done(frame));
            })
            .catch((reason: unknown) => {
                // A simulation that was closed meanwhile answers no more; any other failure is one.
                if (generation !== this.session.generation || this.session.exchanging) return;
                this.setPlaying(false);
                this.fail(reason);
            })
            .finally(() => {
                if (this.asking === answer) this.asking = null;
            });
        this.asking = answer;
        return answer;
    }

    private receive(frames: Frame[]): void {
        // A graphics card that is behind must not be given frames that it will never show.
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
