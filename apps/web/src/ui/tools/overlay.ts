/// Marks on top of the picture: the trace of a cut, the ring of a twist, the cross of the keyboard pointer.

const namespace = 'http://www.w3.org/2000/svg';

export class Overlay {
    readonly element = document.createElementNS(namespace, 'svg');
    private readonly trace = document.createElementNS(namespace, 'polyline');
    private readonly ring = document.createElementNS(namespace, 'g');
    private readonly arc = document.createElementNS(namespace, 'path');
    private readonly turns = document.createElementNS(namespace, 'text');
    private readonly cross = document.createElementNS(namespace, 'path');
    private points: string[] = [];

    constructor() {
        this.element.setAttribute('class', 'overlay');
        this.element.setAttribute('aria-hidden', 'true');
        this.trace.setAttribute('class', 'trace');
        this.ring.setAttribute('class', 'ring');
        const circle = document.createElementNS(namespace, 'circle');
        circle.setAttribute('r', '34');
        this.arc.setAttribute('class', 'arc');
        this.turns.setAttribute('y', '54');
        this.turns.setAttribute('text-anchor', 'middle');
        this.ring.append(circle, this.arc, this.turns);
        this.ring.setAttribute('visibility', 'hidden');
        this.cross.setAttribute('class', 'cross');
        this.cross.setAttribute('d', 'M-12 0H-4M4 0H12M0 -12V-4M0 4V12');
        this.hideCross();
        this.element.append(this.trace, this.ring, this.cross);
    }

    traceTo(x: number, y: number): void {
        this.points.push(`${x},${y}`);
        if (this.points.length > 24) this.points.shift();
        this.trace.setAttribute('points', this.points.join(' '));
    }

    endTrace(): void {
        this.points = [];
        this.trace.setAttribute('points', '');
    }

    showTwist(x: number, y: number, angle: number): void {
        this.ring.setAttribute('visibility', 'visible');
        this.ring.setAttribute('transform', `translate(${x} ${y})`);
        const within = angle % (2 * Math.PI);
        const [endX, endY] = [34 * Math.sin(within), -34 * Math.cos(within)];
        const large = Math.abs(within) > Math.PI ? 1 : 0;
        this.arc.setAttribute('d', `M0 -34 A34 34 0 ${large} ${within > 0 ? 1 : 0} ${endX} ${endY}`);
        this.turns.textContent = `${(angle / (2 * Math.PI)).toFixed(2)} turns`;
    }

    showCross(x: number, y: number): void {
        this.cross.setAttribute('visibility', 'visible');
        this.cross.setAttribute('transform', `translate(${x} ${y})`);
    }

    hideCross(): void {
        this.cross.setAttribute('visibility', 'hidden');
    }

    hideTwist(): void {
        this.ring.setAttribute('visibility', 'hidden');
    }
}
