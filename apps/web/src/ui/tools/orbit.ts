/// The camera tool. The stage itself handles the pointers.

import type { Tool } from './tool';

export class OrbitTool implements Tool {
    readonly name = 'orbit';
    readonly icon = 'orbit';
    readonly label = 'Orbit';
    readonly hint = 'Drag to look around, right drag or two fingers to pan, wheel or pinch to zoom.';

    press(): boolean {
        return false;
    }

    drag(): void {}

    lift(): void {}
}
