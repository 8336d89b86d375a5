/// What a tool is, and what tools work with.

import type { Stage } from '../../stage/stage';
import type { IconName } from '../icons';
import type { Loop } from '../loop';
import type { Messages } from '../messages';
import type { Session } from '../session';
import type { Hands } from './hands';
import type { Overlay } from './overlay';

export type ToolName = 'orbit' | 'grab' | 'head' | 'wind' | 'cut' | 'twist';

export interface Workbench {
    session: Session;
    stage: Stage;
    loop: Loop;
    hands: Hands;
    messages: Messages;
    overlay: Overlay;
    /// The pixel of the page, not of the picture.
    canvas: HTMLCanvasElement;
}

/// A pointer that is down.
export interface Press {
    id: number;
    x: number; // of the page [px]
    y: number;
    dx: number; // since the last event
    dy: number;
    turning: boolean; // shift or the other button
    lifted: boolean;
}

export interface Tool {
    readonly name: ToolName;
    readonly icon: IconName;
    readonly label: string;
    readonly hint: string;
    /// Whether it takes the press; the camera does otherwise.
    press(press: Press): boolean | Promise<boolean>;
    drag(press: Press): void;
    lift(press: Press): void;
    tick?(seconds: number): void;
    turnWheel?(notches: number): boolean;
    leave?(): void;
}
