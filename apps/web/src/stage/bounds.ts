/// The bounding sphere of the visible content, estimated from samples of every frame. Lamps aim at it.
import { Vector3 } from 'three';

const samples = 700; // of each array

export class Bounds {
    readonly centre = new Vector3();
    radius = 0;
    private readonly low = new Vector3();
    private readonly high = new Vector3();

    begin() {
        this.low.setScalar(Infinity);
        this.high.setScalar(-Infinity);
    }

    /// `points` holds x, y, z per point. The step between samples is odd, so it rarely shares a factor with the number
    /// of points per strand and all positions along the strands are sampled.
    include(points: Float32Array, offset: Vector3) {
        const count = points.length / 3;
        const step = 3 * Math.max(1, Math.floor(count / samples) | 1);
        for (let i = 0; i + 2 < points.length; i += step) {
            this.includePoint(points[i]! + offset.x, points[i + 1]! + offset.y, points[i + 2]! + offset.z);
        }
    }

    includePoint(x: number, y: number, z: number) {
        if (!Number.isFinite(x + y + z)) return;
        const low = this.low, high = this.high;
        if (x < low.x) low.x = x;
        if (y < low.y) low.y = y;
        if (z < low.z) low.z = z;
        if (x > high.x) high.x = x;
        if (y > high.y) high.y = y;
        if (z > high.z) high.z = z;
    }

    /// Grows the sphere at once and shrinks it slowly. If it changed with every step, shadows would crawl.
    end() {
        if (!(this.low.x <= this.high.x)) return;
        const centre = this.low.clone().add(this.high).multiplyScalar(0.5);
        const radius = Math.max(0.5 * this.low.distanceTo(this.high) * 1.04, 1e-3);
        if (this.radius === 0) {
            this.centre.copy(centre);
            this.radius = radius;
            return;
        }
        const needed = this.centre.distanceTo(centre) + radius;
        if (needed > this.radius * 1.25) {
            this.centre.copy(centre);
            this.radius = radius * 1.08;
        } else {
            this.centre.lerp(centre, 0.05);
            this.radius += (radius * 1.05 - this.radius) * (radius * 1.05 > this.radius ? 0.5 : 0.02);
        }
    }
}
