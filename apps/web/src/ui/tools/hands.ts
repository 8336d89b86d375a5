/// Hands that hold strands. Each hand holds the same strand in every simulation that is shown.

import type { Hit, Simulation, Vec3 } from '../../engine/types';
import type { Stage } from '../../stage/stage';
import { Event } from '../events';
import type { Session } from '../session';

export interface Hand {
    at: Vec3;
    twist: number; // [rad]
    clamped: boolean;
    holds: { simulation: Simulation; id: number }[];
}

export class Hands {
    readonly changed = new Event();
    /// Hands that keep holding without a pointer.
    readonly staying: Hand[] = [];

    constructor(
        private readonly session: Session,
        private readonly stage: Stage,
    ) {
        session.opened.on(() => {
            this.staying.length = 0;
            this.stage.showHand(null);
            this.changed.emit();
        });
    }

    async grab(hit: Hit, clamped: boolean): Promise<Hand> {
        const simulations = this.session.simulations;
        const ids = await Promise.all(simulations.map((simulation) => simulation.grab(hit, clamped)));
        const holds = simulations.map((simulation, index) => ({ simulation, id: ids[index] }));
        this.stage.showHand(hit.point);
        return { at: hit.point, twist: 0, clamped, holds };
    }

    move(hand: Hand, to: Vec3, twist: number = hand.twist): void {
        hand.at = to;
        hand.twist = twist;
        for (const { simulation, id } of hand.holds)
            if (this.session.simulations.includes(simulation)) simulation.moveHand(id, to, twist);
        this.stage.showHand(to);
    }

    release(hand: Hand): void {
        const index = this.staying.indexOf(hand);
        if (index >= 0) this.staying.splice(index, 1);
        for (const { simulation, id } of hand.holds)
            if (this.session.simulations.includes(simulation)) simulation.release(id);
        this.stage.showHand(this.staying[0]?.at ?? null);
        this.changed.emit();
    }

    keep(hand: Hand): void {
        if (!this.staying.includes(hand)) this.staying.push(hand);
        this.changed.emit();
    }

    releaseAll(): void {
        for (const hand of [...this.staying]) this.release(hand);
    }
}
