/// All tools, the tool strip, and the overlay that tools draw on the picture.

import type { Stage } from '../stage/stage';
import { el } from './dom';
import { icon } from './icons';
import type { Loop } from './loop';
import type { Messages } from './messages';
import type { Session } from './session';
import { ToolStrip } from './toolstrip';
import { CutTool } from './tools/cut';
import { GrabTool } from './tools/grab';
import { Hands } from './tools/hands';
import { HeadTool } from './tools/head';
import { OrbitTool } from './tools/orbit';
import { Overlay } from './tools/overlay';
import { Pointers } from './tools/pointers';
import { TwistTool } from './tools/twist';
import { WindTool } from './tools/wind';
import type { Workbench } from './tools/tool';

export class Toolbox {
    readonly overlay = new Overlay();
    readonly hands: Hands;
    readonly pointers: Pointers;
    readonly strip: ToolStrip;
    /// Shows how many strands are held, with a button to release them.
    readonly chip: HTMLElement;
    private readonly head: HeadTool;

    constructor(session: Session, stage: Stage, loop: Loop, messages: Messages, canvas: HTMLCanvasElement) {
        this.hands = new Hands(session, stage);
        const bench: Workbench = { session, stage, loop, messages, canvas, hands: this.hands, overlay: this.overlay };
        this.head = new HeadTool(bench);
        const grab = new GrabTool(bench);
        const tools = [new OrbitTool(), grab, this.head, new WindTool(bench), new CutTool(bench), new TwistTool(bench)];
        this.pointers = new Pointers(bench, grab);
        stage.setOrbitEnabled(false);
        this.strip = new ToolStrip(tools, this.pointers, canvas);
        const text = el('span', {});
        const release = () => this.hands.releaseAll();
        const button = el('button', { type: 'button', class: 'link-button', onclick: release }, 'Release');
        this.chip = el('div', { class: 'chip', role: 'status', hidden: true }, icon('grab'), text, button);
        this.hands.changed.on(() => {
            const count = this.hands.staying.length;
            this.chip.hidden = count === 0;
            text.textContent = count === 1 ? 'Holding one strand' : `Holding ${count} strands`;
        });
    }

    /// Releases all strands, bodies and pointers.
    letGo(): void {
        this.pointers.keyLift();
        this.hands.releaseAll();
        this.head.forget();
    }
}
