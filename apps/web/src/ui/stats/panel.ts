/// Live plots and numbers of how accurate and how fast the simulation is.

import type { Frame } from '../../engine/types';
import { el } from '../dom';
import { solverKey, type Session } from '../session';
import { findKey } from '../values';
import { Numbers } from './numbers';
import { Plot, type Line } from './plot';
import { Series, stageNames } from './series';

const drawInterval = 80; // [ms]
const textInterval = 200;

export class StatsPanel {
    readonly element = el('div', { class: 'stats' });
    readonly numbers = new Numbers();
    private readonly beside = el('select', { 'aria-label': 'Second solver, side by side' });
    private readonly tension = el('input', { type: 'checkbox', role: 'switch' });
    private readonly tensionLabel = el('label', { class: 'tension', hidden: true });
    private readonly plotArea = el('div', { class: 'plots' });
    private readonly series = [new Series(), new Series()];
    private plots: Plot[] = [];
    private shown = false;
    private lastDrawn = 0;
    private lastTextUpdate = 0;

    constructor(
        private readonly session: Session,
        actions: { setBeside(solver: string | null): void; showTension(shown: boolean): void },
    ) {
        this.beside.addEventListener('change', () => actions.setBeside(this.beside.value || null));
        this.tension.addEventListener('change', () => actions.showTension(this.tension.checked));
        this.tensionLabel.append('Colour strings by tension', this.tension);
        const label = el('label', { class: 'beside' }, el('span', {}, 'Compare with'), this.beside);
        this.element.append(label, this.tensionLabel, this.plotArea, this.numbers.element);
        session.opened.on(() => this.begin());
        session.changed.on(() => this.nameSolvers());
    }

    setShown(shown: boolean): void {
        this.shown = shown;
        if (shown) this.buildPlots();
    }

    receive(frames: Frame[]): void {
        frames.forEach((frame, index) => this.series[index].add(frame));
        this.numbers.read(frames);
        const now = performance.now();
        if (now - this.lastTextUpdate > textInterval) {
            this.lastTextUpdate = now;
            this.numbers.show();
        }
        if (this.shown && now - this.lastDrawn > drawInterval) {
            this.lastDrawn = now;
            this.plots.forEach((plot) => plot.draw());
        }
    }

    redraw(): void {
        if (this.shown) this.plots.forEach((plot) => plot.draw());
    }

    private begin(): void {
        this.series.forEach((one) => one.clear());
        this.tensionLabel.hidden = !this.session.info?.strands.some((part) => part.string);
        this.plots = [];
        this.plotArea.replaceChildren();
        if (this.shown) this.buildPlots();
    }

    private nameSolvers(): void {
        const { setup, solver, engine } = this.session;
        const choices = findKey(engine.keys, solverKey)?.choices ?? [];
        if (this.beside.options.length === 0) {
            const options = choices.map((choice) => el('option', { value: choice }, choice));
            this.beside.append(el('option', { value: '' }, 'no second solver'), ...options);
        }
        this.beside.value = setup?.beside ?? '';
        const names = setup?.beside ? [solver, setup.beside] : [solver];
        this.numbers.setSolvers(names);
    }

    private buildPlots(): void {
        if (this.plots.length) return this.redraw();
        const [a, b] = this.series;
        const two = this.session.simulations.length > 1;
        const names = [this.session.solver, this.session.setup?.beside ?? ''];
        const both = (value: Line['value'], label = ''): Line[] => [
            { label: label || names[0], colour: '--plot-a', of: a, value },
            ...(two ? [{ label: names[1], colour: '--plot-b', of: b, value }] : []),
        ];
        const energies: Line[] = (['total', 'kinetic', 'potential', 'elastic'] as const).flatMap((name, index) => {
            const colour = ['--plot-a', '--plot-c', '--plot-d', '--plot-e'][index];
            const line: Line = { label: name, colour, of: a, value: (sample) => sample[name] };
            const other: Line = { ...line, label: `total, ${names[1]}`, colour: '--plot-b', of: b, dashed: true };
            return two && name === 'total' ? [line, other] : [line];
        });
        const times = (of: Series, name: string) =>
            new Plot({
                title: two ? `Time per stage, ${name}` : 'Time per stage',
                unit: '[ms per step]',
                reach: 1,
                stacked: stageNames.length,
                lines: [
                    ...stageNames.map((stage, index): Line => {
                        const colour = `--stage-${index + 1}`;
                        return { label: stage, colour, of, value: (sample) => sample.stages[index] };
                    }),
                    { label: 'frame', colour: '--text', of, value: (sample) => sample.frame },
                ],
            });
        this.plots = [
            new Plot({
                title: 'Worst stretch',
                unit: '',
                logarithmic: [1e-8, 1],
                mark: { value: 1e-4, label: 'bound: 1e-4' },
                lines: both((sample) => sample.stretch),
            }),
            new Plot({ title: 'Energy', unit: '[J]', floating: true, lines: energies }),
            new Plot({
                title: 'Deepest penetration',
                unit: '[mm]',
                reach: 0.1,
                lines: both((sample) => sample.penetration * 1000),
            }),
            times(a, names[0]),
            ...(two ? [times(b, names[1])] : []),
        ];
        this.plotArea.replaceChildren(...this.plots.map((plot) => plot.element));
        requestAnimationFrame(() => this.redraw());
    }
}
