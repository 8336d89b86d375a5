/// The measurements of the last seconds of simulated time.

import type { Frame } from '../../engine/types';

export const shownSeconds = 10;
export const stageNames = ['roots', 'body', 'interaction', 'solve', 'measure'] as const;

export interface Sample {
    time: number; // [s]
    stretch: number;
    kinetic: number; // [J]
    potential: number;
    elastic: number;
    total: number;
    penetration: number; // [m]
    stages: number[]; // in the order of stageNames [ms]
    frame: number; // [ms]
}

export class Series {
    readonly samples: Sample[] = [];

    clear(): void {
        this.samples.length = 0;
    }

    add(frame: Frame): void {
        const { report, time } = frame;
        if (!report || frame.settling > 0) return;
        const last = this.samples[this.samples.length - 1];
        if (last && time < last.time) this.clear(); // the simulation was restarted
        const { kinetic, potential, elastic } = report;
        this.samples.push({
            time,
            stretch: report.stretchMax,
            kinetic,
            potential,
            elastic,
            total: kinetic + potential + elastic,
            penetration: report.penetrationMax,
            stages: stageNames.map((name) => report.stages[name] * 1000),
            frame: frame.milliseconds,
        });
        let old = 0;
        while (this.samples[old].time < time - shownSeconds) ++old;
        if (old > 0) this.samples.splice(0, old);
    }
}
