/// How long the graphics card takes for a picture, and what to draw less of where that is too long.
///
/// WebGL returns at once, so a fence tells when the picture is really there.

const tooSlow = 26; // [ms]
const fast = 11;
const softwareLevel = 4; // to begin with where there is no graphics card
const patience = 6; // pictures to look at before quality changes

export interface Quality {
    pixelRatio: number; // pixels per CSS pixel, at most
    share: number; // of the strands
    points: 'smooth' | 'all' | 'half'; // of a strand
    refresh: number; // pictures from one renewal of the rim lamp's map to the next
    shadowSize: number; // pixels of the maps along an edge
}
/// From best to least. Pictures that stand still, or are kept, have the best.
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
    private least = 0;
    private seen = 0;
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

    /// Whether the card still works on the last picture: another one would only queue up.
    get busy() {
        this.poll();
        return this.pending !== null;
    }

    /// After the commands of a picture have been given. `counts`: it says how fast pictures of this quality are.
    drawn(since: number, counts: boolean) {
        if (this.pending) this.gl.deleteSync(this.pending.fence);
        const fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.gl.flush();
        if (!fence) return;
        this.pending = { fence, since, counts };
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
        if (!pending.counts) return;
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
