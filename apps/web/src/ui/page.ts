/// The page: creates its parts and connects them.

import type { Engine } from '../engine/types';
import type { Stage } from '../stage/stage';
import { Address } from './address';
import type { PageReport } from './api';
import { el } from './dom';
import { acceptDrops, chooseFiles, sourceOf } from './files';
import { Gallery } from './gallery';
import { History } from './history';
import { makeShortcuts } from './keys';
import { readLink, type Link } from './link';
import { Loop } from './loop';
import type { Messages } from './messages';
import { Panels } from './panels';
import { Recorder, savePicture } from './record';
import { servedName, servedScene, type Catalogue, type SceneSource } from './scenes';
import { Session, solverKey, type Setup } from './session';
import { Shortcuts } from './shortcuts';
import { Status } from './status';
import type { Theme } from './theme';
import { Thumbnails } from './thumbnails';
import { Toolbox } from './toolbox';
import { TopBar } from './topbar';
import { StatsPanel } from './stats/panel';
import { Changes } from './tune/changes';
import { TunePanel } from './tune/panel';
import { findKey } from './values';

const defaultScene = 'bust';
const cameraKeys = /^render\.(camera|azimuth|elevation|zoom|distance|target|eye)$/;

export class Page {
    readonly session: Session;
    readonly loop: Loop;
    readonly history: History;
    readonly toolbox: Toolbox;
    readonly panels = new Panels();
    readonly bar: TopBar;
    readonly gallery: Gallery;
    readonly shortcuts: Shortcuts;
    readonly recorder: Recorder;
    readonly times = { engine: performance.now(), opened: NaN, firstPicture: NaN };
    readonly firstPicture: Promise<void>;

    private readonly address: Address;
    private readonly tunePanel: TunePanel;
    private readonly statsPanel: StatsPanel;
    private openRequests = 0; // number of requests to open a scene
    private readonly labels = el('div', { class: 'panel-labels', 'aria-hidden': 'true' });

    constructor(
        readonly engine: Engine,
        readonly catalogue: Catalogue,
        readonly stage: Stage,
        readonly canvas: HTMLCanvasElement,
        readonly messages: Messages,
        readonly theme: Theme,
    ) {
        this.session = new Session(engine);
        this.session.opened.on(({ sameScene }) => this.showScene(sameScene));
        this.session.looksChanged.on((key) => this.showLooks(key));
        this.loop = new Loop(this.session, stage, messages.fail);
        this.history = new History(this.session);
        this.address = new Address(this.session, stage, this.loop);
        this.recorder = new Recorder(stage);
        this.toolbox = new Toolbox(this.session, stage, this.loop, messages, canvas);
        this.bar = new TopBar(this.actions());
        const openScene = (name: string) => void this.openScene(name).catch(() => undefined); // already reported
        this.gallery = new Gallery(
            catalogue.index, new Thumbnails(engine, catalogue), theme, openScene, this.chooseFile);
        this.shortcuts = new Shortcuts(makeShortcuts(this), canvas);
        this.tunePanel = new TunePanel(this.session, new Changes(this.session, this.history, messages));
        this.statsPanel = new StatsPanel(this.session, {
            setBeside: (solver) => this.attempt(() => this.setBeside(solver))(),
            showTension: (shown) => stage.setOverlay(shown ? 'tension' : 'none'),
        });
        this.panels.add('tune', 'Tune', this.tunePanel.element);
        this.panels.add('stats', 'Stats', this.statsPanel.element);
        this.firstPicture = this.awaitFirstPicture();
        this.assemble();
        this.connect();
    }

    async start(): Promise<void> {
        const link = await readLink(location.hash).catch((reason: unknown) => {
            this.messages.fail(reason);
            return null;
        });
        await this.openFirst(link);
        this.times.opened = performance.now();
        this.loop.start();
    }

    async openScene(name: string): Promise<void> {
        await this.openSource(() => this.catalogue.source(name));
    }

    async setSolver(solver: string): Promise<void> {
        await this.setValue(solverKey, solver);
    }

    async setValue(key: string, text: string): Promise<void> {
        try {
            await this.history.record(key, () => this.session.set(key, text));
        } catch (reason) {
            this.session.changed.emit(); // controls show the valid value again
            throw reason;
        }
    }

    async setBeside(solver: string | null): Promise<void> {
        try {
            await this.history.record('beside', () => this.session.setBeside(solver));
        } catch (reason) {
            this.session.changed.emit();
            throw reason;
        }
    }

    report(panel: number): PageReport | null {
        const reading = this.statsPanel.numbers.reading(panel);
        const solver = panel === 0 ? this.session.solver : (this.session.setup?.beside ?? '');
        return reading && { ...reading.report, steps: reading.steps, time: reading.time, solver };
    }

    readonly chooseFile = (): void => chooseFiles((files) => void this.openFiles(files).catch(() => undefined));

    async copyToml(): Promise<void> {
        const [simulation] = this.session.simulations;
        if (!simulation) return;
        await navigator.clipboard.writeText(await simulation.toml());
        this.messages.confirm('Copied the scene as TOML.');
    }

    async share(): Promise<void> {
        const link = await this.address.current();
        if (!link) throw new Error('A link cannot contain the dropped files. Copy the scene as TOML instead.');
        history.replaceState(null, '', link);
        await navigator.clipboard.writeText(link);
        this.messages.confirm('Copied a link to this view.');
    }

    record(): void {
        this.recorder.toggle(this.session.setup?.source.name ?? 'tendril');
    }

    async snapshot(): Promise<void> {
        await savePicture(this.stage, this.session.setup?.source.name ?? 'tendril');
    }

    showGallery(): void {
        this.gallery.show(this.session.setup?.source.name ?? '');
    }

    /// Runs a job and reports its failure as a message.
    attempt(job: () => void | Promise<void>): () => void {
        return () => void Promise.resolve().then(job).catch(this.messages.fail);
    }

    private async openFirst(link: Link | null): Promise<void> {
        const served = link && link.scene !== servedName ? null : await servedScene();
        if (link) {
            try {
                return await this.openLink(link, served);
            } catch (reason) {
                this.messages.fail(reason);
            }
        }
        if (served) {
            try {
                return await this.session.open({ source: served, overrides: served.overrides, beside: null });
            } catch (reason) {
                this.messages.fail(reason);
            }
        }
        const source = await this.catalogue.source(defaultScene);
        await this.session.open({ source, overrides: source.overrides, beside: null });
    }

    private async openLink(link: Link, served: SceneSource | null): Promise<void> {
        const request = ++this.openRequests;
        const source = await this.linkedSource(link, served);
        if (request !== this.openRequests) return;
        const setup: Setup = { source, overrides: link.overrides ?? source.overrides, beside: link.beside };
        await this.history.record('scene', () => this.session.open(setup));
        this.loop.setSpeed(link.speed);
        if (link.view) this.stage.setCameraState(link.view);
    }

    private async followLink(): Promise<void> {
        const link = await readLink(location.hash);
        if (link) await this.openLink(link, link.scene === servedName ? await servedScene() : null);
    }

    private async linkedSource(link: Link, served: SceneSource | null): Promise<SceneSource> {
        if (link.toml !== null) {
            const title = 'Scene from a link';
            return { link: null, name: 'scene', title, toml: link.toml, files: [], overrides: [] };
        }
        if (link.scene === servedName && served) return served;
        return this.catalogue.source(link.scene ?? '');
    }

    private async openFiles(files: File[]): Promise<void> {
        await this.openSource(() => sourceOf(this.engine, files));
    }

    private async openSource(find: () => Promise<SceneSource>): Promise<void> {
        const request = ++this.openRequests;
        document.documentElement.classList.add('opening');
        try {
            const source = await find();
            if (request !== this.openRequests) return; // another scene was requested meanwhile
            const setup: Setup = { source, overrides: source.overrides, beside: null };
            await this.history.record('scene', () => this.session.open(setup));
            const repairs = this.session.info?.repairs ?? [];
            if (repairs.length) this.messages.say(repairs.join(' '));
            else this.messages.confirm(`Opened ${source.title}.`);
        } catch (reason) {
            this.messages.fail(reason);
            throw reason;
        } finally {
            if (request === this.openRequests) document.documentElement.classList.remove('opening');
        }
    }

    private showScene(sameScene: boolean): void {
        const panels = this.session.simulations.map((simulation) => simulation.info);
        this.stage.show(panels);
        if (!sameScene) {
            this.stage.frameScene();
            this.address.setHome();
        }
        const names = [this.session.solver, this.session.setup?.beside ?? ''];
        this.labels.replaceChildren(...(panels.length > 1 ? names.map((name) => el('span', {}, name)) : []));
    }

    private showLooks(key: string): void {
        this.stage.show(this.session.simulations.map((simulation) => simulation.info));
        if (cameraKeys.test(key)) this.stage.frameScene();
    }

    private showSetup(): void {
        const { setup, solver } = this.session;
        if (!setup) return;
        this.bar.scene.textContent = setup.source.title;
        this.bar.solver.value = solver;
        document.title = `${setup.source.title} · Tendril`;
        if (this.labels.firstChild) this.labels.firstChild.textContent = solver;
    }

    private showState(): void {
        document.documentElement.dataset.state = this.loop.playing ? 'running' : 'paused';
        this.bar.setPlaying(this.loop.playing);
        this.bar.speed.value = String(this.loop.speed);
    }

    private assemble(): void {
        this.bar.setSolvers(findKey(this.engine.keys, solverKey)?.choices ?? []);
        const status = new Status(this.session, this.loop, this.engine);
        const veil = acceptDrops((files) => void this.openFiles(files).catch(() => undefined));
        const { overlay, strip, chip } = this.toolbox;
        document.body.prepend(this.bar.element);
        document.body.append(
            overlay.element,
            this.labels,
            strip.element,
            chip,
            this.panels.element,
            status.element,
            this.messages.element,
            this.tunePanel.tooltip.element,
            this.gallery.element,
            this.shortcuts.element,
            veil,
        );
    }

    private connect(): void {
        this.session.changed.on(() => this.showSetup());
        this.loop.stateChanged.on(() => this.showState());
        this.loop.frames.on((frames) => this.statsPanel.receive(frames));
        this.history.changed.on(() => {
            this.bar.undo.disabled = !this.history.canUndo;
            this.bar.redo.disabled = !this.history.canRedo;
        });
        this.history.changed.emit();
        this.recorder.changed.on(() => this.bar.setRecording(this.recorder.recording));
        this.theme.changed.on((name) => {
            this.stage.setTheme(name);
            this.bar.setTheme(name);
            this.statsPanel.redraw();
            this.loop.wake();
        });
        this.bar.setTheme(this.theme.name);
        this.panels.changed.on(() => {
            this.tunePanel.setShown(this.panels.isOpen('tune'));
            this.statsPanel.setShown(this.panels.isOpen('stats'));
            this.bar.tune.setAttribute('aria-expanded', String(this.panels.isOpen('tune')));
            this.bar.stats.setAttribute('aria-expanded', String(this.panels.isOpen('stats')));
        });
        new ResizeObserver(() => {
            this.stage.resize();
            this.statsPanel.redraw();
            this.loop.wake();
        }).observe(this.canvas);
        for (const event of ['pointerup', 'wheel', 'keyup'])
            this.canvas.addEventListener(event, () => this.address.update());
        window.addEventListener('hashchange', () => {
            if (this.address.changedExternally) this.attempt(() => this.followLink())();
        });
    }

    private actions(): ConstructorParameters<typeof TopBar>[0] {
        return {
            gallery: () => this.showGallery(),
            setSolver: (solver) => this.attempt(() => this.setSolver(solver))(),
            togglePlay: () => this.loop.setPlaying(!this.loop.playing),
            step: this.attempt(() => this.loop.singleStep()),
            setSpeed: (factor) => this.loop.setSpeed(factor),
            reset: this.attempt(() => this.session.reset()),
            restart: this.attempt(() => this.restart()),
            undo: this.attempt(() => this.history.undo()),
            redo: this.attempt(() => this.history.redo()),
            share: this.attempt(() => this.share()),
            copyToml: this.attempt(() => this.copyToml()),
            record: this.attempt(() => this.record()),
            snapshot: this.attempt(() => this.snapshot()),
            chooseFile: this.chooseFile,
            frame: () => this.frame(),
            toggleTheme: () => this.theme.toggle(),
            help: () => this.shortcuts.show(),
            tune: () => this.panels.toggle('tune'),
            stats: () => this.panels.toggle('stats'),
        };
    }

    async restart(): Promise<void> {
        this.toolbox.letGo();
        await this.session.restart();
    }

    frame(): void {
        this.stage.frameScene();
        this.loop.wake();
        this.address.update();
    }

    private awaitFirstPicture(): Promise<void> {
        return new Promise((resolve) => {
            let received = false;
            this.loop.frames.on(() => (received = true));
            this.loop.drawn.on(() => {
                if (!received || !Number.isNaN(this.times.firstPicture)) return;
                this.times.firstPicture = performance.now();
                this.showState();
                resolve();
            });
        });
    }
}
