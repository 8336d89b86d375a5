/// Picks the strand under the pointer.

import type { Hit, Ray } from '../../engine/types';
import type { Press, Workbench } from './tool';

export async function pickAt(bench: Workbench, press: Press): Promise<Hit | null> {
    const seen = rayAt(bench, press.x, press.y);
    const simulation = seen && bench.session.simulations[seen.panel];
    return simulation ? simulation.pick(seen.ray) : null;
}

export function rayAt(bench: Workbench, x: number, y: number): { panel: number; ray: Ray } | null {
    const seen = bench.stage.ray(x, y);
    return seen.panel < bench.session.simulations.length ? seen : null;
}
