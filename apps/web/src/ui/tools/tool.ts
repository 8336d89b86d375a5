/// The interface of tools, and the objects that they work with.

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
    canvas: HTMLCanvasElement;
}

/// A pressed pointer.
export interface Press {
    id: number;
    x: number; // on the page [px]
    y: number;
    dx: number; // since the last event
    dy: number;
    turning: boolean; // Shift, the right button or a second finger
    lifted: boolean;
}

export interface Tool {
    readonly name: ToolName;
    readonly icon: IconName;
    readonly label: string;
    readonly hint: string;
    /// Returns whether the tool uses the press; otherwise it moves the camera.
    press(press: Press): boolean | Promise<boolean>;
    drag(press: Press): void;
    lift(press: Press): void;
    tick?(seconds: number): void;
    turnWheel?(notches: number): boolean;
    leave?(): void;
}
