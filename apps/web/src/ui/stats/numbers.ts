/// A table of measurements for one simulation or two. It is kept up to date even while the panel is closed.

import type { Frame, Report } from '../../engine/types';
import { el, setText } from '../dom';

export interface Reading {
    report: Report;
    steps: number;
    time: number;
    milliseconds: number;
}

const rows: [id: string, label: string, show: (reading: Reading) => string][] = [
    ['stretch', 'Worst stretch', ({ report }) => exponential(report.stretchMax)],
    ['stretch-mean', 'Mean stretch', ({ report }) => exponential(report.stretchMean)],
    ['kinetic', 'Kinetic energy', ({ report }) => `${energy(report.kinetic)} J`],
    ['potential', 'Potential energy', ({ report }) => `${energy(report.potential)} J`],
    ['elastic', 'Elastic energy', ({ report }) => `${energy(report.elastic)} J`],
    ['penetration', 'Deepest penetration', ({ report }) => `${(report.penetrationMax * 1000).toFixed(2)} mm`],
    ['penetrating', 'Penetrating particles', ({ report }) => String(report.penetrating)],
    ['nonfinite', 'Non-finite particles', ({ report }) => String(report.nonfinite)],
    ['torn', 'Torn segments', ({ report }) => String(report.torn)],
    ['missed', 'Missed holds', ({ report }) => String(report.missedHolds)],
    ['steps', 'Steps', ({ steps }) => String(steps)],
    ['time', 'Time', ({ time }) => `${time.toFixed(2)} s`],
    ['frame', 'Engine time per frame', ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`],
];

export class Numbers {
    readonly element = el('table', { class: 'numbers' });
    private readonly head = [el('th', { scope: 'col' }), el('th', { scope: 'col' })];
    private readonly cells: HTMLElement[][];
    private readonly readings: (Reading | null)[] = [null, null];

    constructor() {
        this.cells = rows.map(([id]) => [el('td', { 'data-testid': id }), el('td', { 'data-testid': `${id}-b` })]);
        const body = rows.map(([, label], index) => {
            return el('tr', {}, el('th', { scope: 'row' }, label), ...this.cells[index]);
        });
        this.element.append(
            el('thead', {}, el('tr', {}, el('td', {}), ...this.head)),
            el('tbody', {}, ...body),
        );
    }

    /// Sets the names of the compared solvers.
    setSolvers(names: string[]): void {
        this.head.forEach((cell, index) => setText(cell, names[index] ?? ''));
        this.element.classList.toggle('two', names.length > 1);
        this.readings.fill(null);
        this.show();
    }

    read(frames: Frame[]): void {
        frames.forEach((frame, index) => {
            const before = this.readings[index];
            const report = frame.report ?? before?.report;
            if (!report) return;
            const steps = (before && frame.time >= before.time ? before.steps : 0) + frame.steps;
            const milliseconds = frame.steps ? frame.milliseconds : (before?.milliseconds ?? 0);
            this.readings[index] = { report, steps, time: frame.time, milliseconds };
        });
    }

    reading(index: number): Reading | null {
        return this.readings[index];
    }

    show(): void {
        rows.forEach(([id, , text], row) => {
            this.readings.forEach((reading, index) => {
                const cell = this.cells[row][index];
                setText(cell, reading ? text(reading) : '');
                if (id === 'nonfinite' && reading) cell.classList.toggle('bad', reading.report.nonfinite > 0);
            });
        });
    }
}

function exponential(value: number): string {
    return value === 0 ? '0' : value.toExponential(2);
}

function energy(value: number): string {
    if (value === 0) return '0';
    const plain = Math.abs(value) >= 0.01 && Math.abs(value) < 1e4;
    return plain ? value.toFixed(3) : value.toExponential(2);
}
