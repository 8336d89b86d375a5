/// A small plot over the last seconds, drawn on its own canvas.

import { el, setText } from '../dom';
import { Series, shownSeconds, type Sample } from './series';

export interface Line {
    label: string;
    colour: string; // name of a CSS variable
    dashed?: boolean;
    of: Series;
    value: (sample: Sample) => number;
}
export interface PlotOptions {
    title: string;
    unit: string;
    lines: Line[];
    logarithmic?: [least: number, most: number];
    mark?: { value: number; label: string };
    /// The first lines, up to this number, are stacked areas.
    stacked?: number;
    /// The range need not include zero.
    floating?: boolean;
    /// The range extends at least to this value, so that noise does not look large.
    reach?: number;
}

const margin = { left: 46, right: 6, top: 6, bottom: 14 };

export class Plot {
    readonly element: HTMLElement;
    private readonly canvas = el('canvas', { role: 'img' });
    private readonly now = el('span', { class: 'plot-now' });

    constructor(private readonly options: PlotOptions) {
        const unit = el('span', { class: 'muted' }, options.unit ? ` ${options.unit}` : '');
        const legend = options.lines.length > 1 ? options.lines.map(legendEntry) : [];
        this.canvas.setAttribute('aria-label', `${options.title} over the last ${shownSeconds} seconds`);
        this.element = el(
            'figure',
            { class: 'plot' },
            el('figcaption', {}, el('span', {}, options.title, unit), this.now),
            this.canvas,
            el('div', { class: 'legend' }, ...legend),
        );
    }

    draw(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (!width || !height) return;
        const density = Math.min(devicePixelRatio, 2);
        if (this.canvas.width !== Math.round(width * density) || this.canvas.height !== Math.round(height * density)) {
            this.canvas.width = Math.round(width * density);
            this.canvas.height = Math.round(height * density);
        }
        const pen = this.canvas.getContext('2d');
        if (!pen) return;
        pen.setTransform(density, 0, 0, density, 0, 0);
        pen.clearRect(0, 0, width, height);
        pen.font = '10px system-ui, sans-serif';
        const style = getComputedStyle(this.canvas);
        const colour = (name: string) => style.getPropertyValue(name);
        const [least, most] = this.range();
        const end = Math.max(...this.options.lines.map(({ of }) => of.samples.at(-1)?.time ?? 0));
        const perSecond = (width - margin.left - margin.right) / shownSeconds;
        const x = (time: number) => width - margin.right - (end - time) * perSecond;
        const y = this.vertical(least, most, height);
        this.drawGrid(pen, colour, least, most, width, y);
        this.drawStack(pen, colour, x, y);
        const lines = this.options.lines.slice(this.options.stacked ?? 0);
        for (const line of lines) drawLine(pen, colour(line.colour), line, x, y);
        this.drawTimes(pen, colour, width, height);
        const sample = lines[0].of.samples.at(-1);
        setText(this.now, sample ? quantity(lines[0].value(sample)) : '');
    }

    private range(): [number, number] {
        if (this.options.logarithmic) return this.options.logarithmic;
        let [least, most] = this.options.floating ? [Infinity, -Infinity] : [0, this.options.reach ?? 0];
        for (const line of this.options.lines.slice(this.options.stacked ?? 0)) {
            for (const sample of line.of.samples) {
                const value = line.value(sample);
                if (value < least) least = value;
                if (value > most) most = value;
            }
        }
        for (const sample of this.options.stacked ? this.options.lines[0].of.samples : []) {
            let sum = 0;
            for (const line of this.options.lines.slice(0, this.options.stacked)) sum += line.value(sample);
            if (sum > most) most = sum;
        }
        if (!(most > least)) return least === Infinity ? [0, 1] : [least, least + (Math.abs(least) || 1e-6)];
        const air = (most - least) * 0.08;
        return [least < 0 ? least - air : least, most + air];
    }

    private vertical(least: number, most: number, height: number): (value: number) => number {
        const room = height - margin.top - margin.bottom;
        if (!this.options.logarithmic) return (value) => margin.top + ((most - value) / (most - least)) * room;
        const [low, high] = [Math.log10(least), Math.log10(most)];
        return (value) => {
            const power = Math.log10(Math.min(most, Math.max(least, value)));
            return margin.top + ((high - power) / (high - low)) * room;
        };
    }

    private drawGrid(
        pen: CanvasRenderingContext2D,
        colour: (name: string) => string,
        least: number,
        most: number,
        width: number,
        y: (value: number) => number,
    ): void {
        pen.lineWidth = 1;
        pen.textAlign = 'right';
        pen.textBaseline = 'middle';
        for (const tick of this.options.logarithmic ? powers(least, most) : ticks(least, most)) {
            const at = Math.round(y(tick)) + 0.5;
            pen.strokeStyle = colour('--plot-grid');
            segment(pen, margin.left, at, width - margin.right, at);
            pen.fillStyle = colour('--muted');
            pen.fillText(quantity(tick), margin.left - 5, at);
        }
        const { mark } = this.options;
        if (!mark) return;
        const at = Math.round(y(mark.value)) + 0.5;
        pen.setLineDash([3, 3]);
        pen.strokeStyle = colour('--plot-mark');
        segment(pen, margin.left, at, width - margin.right, at);
        pen.setLineDash([]);
        pen.fillStyle = colour('--plot-mark');
        pen.textAlign = 'left';
        pen.fillText(mark.label, margin.left + 4, at - 7);
    }

    private drawStack(
        pen: CanvasRenderingContext2D,
        colour: (name: string) => string,
        x: (time: number) => number,
        y: (value: number) => number,
    ): void {
        const areas = this.options.lines.slice(0, this.options.stacked ?? 0);
        const samples = areas[0]?.of.samples ?? [];
        if (samples.length < 2) return;
        const below = samples.map(() => 0);
        for (const area of areas) {
            pen.beginPath();
            samples.forEach((sample, index) => pen.lineTo(x(sample.time), y(below[index])));
            for (let index = samples.length - 1; index >= 0; --index) {
                const floor = below[index];
                below[index] = floor + area.value(samples[index]);
                pen.lineTo(x(samples[index].time), y(below[index]));
            }
            pen.fillStyle = colour(area.colour);
            pen.fill();
        }
    }

    private drawTimes(
        pen: CanvasRenderingContext2D,
        colour: (name: string) => string,
        width: number,
        height: number,
    ): void {
        pen.fillStyle = colour('--muted');
        pen.textBaseline = 'bottom';
        pen.textAlign = 'left';
        pen.fillText(`−${shownSeconds} s`, margin.left, height);
        pen.textAlign = 'right';
        pen.fillText('now', width - margin.right, height);
    }
}

function legendEntry(line: Line): HTMLElement {
    const swatch = el('i', { class: line.dashed ? 'dashed' : '' });
    swatch.style.setProperty('--swatch', `var(${line.colour})`);
    return el('span', {}, swatch, line.label);
}

function drawLine(
    pen: CanvasRenderingContext2D,
    colour: string,
    line: Line,
    x: (time: number) => number,
    y: (value: number) => number,
): void {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    pen.setLineDash(line.dashed ? [5, 3] : []);
    pen.beginPath();
    for (const sample of line.of.samples) {
        const value = line.value(sample);
        if (Number.isFinite(value)) pen.lineTo(x(sample.time), y(value));
    }
    pen.stroke();
    pen.setLineDash([]);
}

function segment(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
}

function ticks(least: number, most: number): number[] {
    const rough = (most - least) / 3;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
    const first = Math.ceil(least / step);
    const last = Math.floor(most / step);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

function powers(least: number, most: number): number[] {
    const result: number[] = [];
    for (let power = Math.ceil(Math.log10(least)); power <= Math.log10(most); power += 2) result.push(10 ** power);
    return result;
}

export function quantity(value: number): string {
    if (!Number.isFinite(value)) return '—';
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace('e+', 'e').replace('.0e', 'e');
    return String(Number(value.toPrecision(3)));
}
