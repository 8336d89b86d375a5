/// Measures how long the GPU takes per picture and lowers the quality if that is too long.
///
/// WebGL calls return immediately, so a fence signals when the picture is finished.

const tooSlow = 26; // [ms]
const fast = 11;
const softwareLevel = 4; // initial level for software rendering
const minSamples = 6; // pictures to measure before the quality changes

export interface Quality {
    pixelRatio: number; // most pixels per CSS pixel
    share: number; // of the strands that are drawn
    points: 'smooth' | 'all' | 'half'; // of each strand
    refresh: number; // pictures between updates of the rim lamp's shadow map
    shadowSize: number; // edge length of shadow maps [pixels]
}
/// Quality levels, best first. Still pictures and snapshots use the best.
export const still: Quality = { pixelRatio: 2, share: 1, points: 'smooth', refresh: 1, shadowSize: 1024 };
const levels: Quality[] = [
    still,
    { pixelRatio: 1.5, share: 1, points: 'smooth', refresh: 1, shadowSize: 1024 },
    { pixelRatio: 1, share: 1, points: 'all', refresh: 2, shadowSize: 1024 },
    { pixelRatio: 1, share: 0.6, points: 'all', refresh: 3, shadowSize: 512 },
    { pixelRatio: 0.75, share: 0.4, points: 'half', refresh: 3, shadowSize: 512 },
    { pixelRatio: 0.5, share: 0.3, points: 'half', refresh: 3, shadowSize: 512 },
];

export class DrawClock {
    milliseconds = 0;
    private level: number;
    private bestLevel = 0;
    private samples = 0;
    private pending: { fence: WebGLSync; since: number; counts: boolean } | null = null;

    constructor(
        private readonly gl: WebGL2RenderingContext,
        private readonly adaptive: boolean,
    ) {
        this.level = adaptive && isSoftware(gl) ? softwareLevel : 0;
    }

    get quality(): Quality {
        return levels[this.level]!;
    }

    /// Whether the GPU is still drawing the last picture. Another one would only queue up.
    get busy() {
        this.poll();
        return this.pending !== null;
    }

    /// Call this after issuing the commands of a picture. `counts`: the time is representative of the current quality.
    drawn(since: number, counts: boolean) {
        if (this.pending) this.gl.deleteSync(this.pending.fence);
        const fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.gl.flush();
        if (!fence) return;
        this.pending = { fence, since, counts };
        const check = () => {
            if (this.busy) setTimeout(check, 2);
        };
        setTimeout(check, 1);
    }

    private poll() {
        const pending = this.pending;
        if (!pending) return;
        const late = performance.now() - pending.since > 5000; // a lost context never signals
        if (!late && this.gl.getSyncParameter(pending.fence, this.gl.SYNC_STATUS) !== this.gl.SIGNALED) return;
        this.gl.deleteSync(pending.fence);
        this.pending = null;
        if (!pending.counts) return;
        const took = performance.now() - pending.since;
        this.milliseconds = this.samples === 0 ? took : this.milliseconds + 0.3 * (took - this.milliseconds);
        ++this.samples;
        if (this.adaptive && this.samples >= minSamples) this.adapt();
    }

    private adapt() {
        if (this.milliseconds > tooSlow && this.level + 1 < levels.length) {
            // This level was too slow, so never return to it; otherwise the quality would oscillate.
            this.bestLevel = this.level + 1;
            this.level = this.bestLevel;
            this.samples = 0;
        } else if (this.milliseconds < fast && this.level > this.bestLevel) {
            --this.level;
            this.samples = 0;
        }
    }
}

function isSoftware(gl: WebGL2RenderingContext) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
