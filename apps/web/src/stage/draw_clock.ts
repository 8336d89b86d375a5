/// How long the graphics card takes for a picture, and what to draw less of where that is too long.
///
/// WebGL returns at once, so a fence tells when the picture is really there.

const tooSlow = 26; // [ms]
const fast = 11;
const patience = 6; // pictures to look at before quality changes

/// Quality from best to least: pixels per CSS pixel (at most), share of the strands, pictures per refresh of a lamp.
export interface Quality {
    pixelRatio: number;
    share: number;
    refresh: number;
    shadowSize: number;
}
const levels: Quality[] = [
    { pixelRatio: 2, share: 1, refresh: 1, shadowSize: 1024 },
    { pixelRatio: 1.5, share: 1, refresh: 1, shadowSize: 1024 },
    { pixelRatio: 1, share: 1, refresh: 2, shadowSize: 1024 },
    { pixelRatio: 1, share: 0.6, refresh: 3, shadowSize: 512 },
    { pixelRatio: 0.75, share: 0.4, refresh: 4, shadowSize: 512 },
    { pixelRatio: 0.5, share: 0.3, refresh: 6, shadowSize: 512 },
];

export class DrawClock {
    milliseconds = 0;
    private level: number;
    private least = 0;
    private seen = 0;
    private pending: { fence: WebGLSync; since: number } | null = null;

    constructor(
        private readonly gl: WebGL2RenderingContext,
        private readonly adaptive: boolean,
    ) {
        this.level = adaptive && isSoftware(gl) ? 3 : 0;
    }

    get quality(): Quality {
        return levels[this.level]!;
    }

    /// Whether the card still works on the last picture: another one would only queue up.
    get busy() {
        this.poll();
        return this.pending !== null;
    }

    /// After the commands of a picture have been given.
    drawn(since: number) {
        const fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.gl.flush();
        if (!fence) return;
        this.pending = { fence, since };
        const look = () => {
            if (this.busy) setTimeout(look, 2);
        };
        setTimeout(look, 1);
    }

    private poll() {
        const pending = this.pending;
        if (!pending) return;
        const late = performance.now() - pending.since > 5000; // a lost context never answers
        if (!late && this.gl.getSyncParameter(pending.fence, this.gl.SYNC_STATUS) !== this.gl.SIGNALED) return;
        this.gl.deleteSync(pending.fence);
        this.pending = null;
        const took = performance.now() - pending.since;
        this.milliseconds = this.seen === 0 ? took : this.milliseconds + 0.3 * (took - this.milliseconds);
        ++this.seen;
        if (this.adaptive && this.seen >= patience) this.adapt();
    }

    private adapt() {
        if (this.milliseconds > tooSlow && this.level + 1 < levels.length) {
            // Better had been tried and was too slow: do not swing back and forth.
            this.least = this.level + 1;
            this.level = this.least;
            this.seen = 0;
        } else if (this.milliseconds < fast && this.level > this.least) {
            --this.level;
            this.seen = 0;
        }
    }
}

function isSoftware(gl: WebGL2RenderingContext) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
