// Compares the speed of the WebAssembly engine with the native program: 10,000 strands of 30 particles with shape and
// grid, on one thread and on two. The runs alternate, so that a busy machine slows both down.
//   node apps/web/test/speed.mjs [--native FILE] [--rounds N]
// The exit code is 1 if the engine takes more than three times as long. Run `./dev build` and `./dev web` first.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const kMaxRatio = 3;
const kFrames = 60;
const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const { values: options } = parseArgs({
    options: {
        native: { type: 'string', default: at('build/release/bin/tendril') },
        rounds: { type: 'string', default: '5' },
    },
});
const scene = at('scenes/head_10k.toml');
const overrides = [
    ['interaction.method', 'grid'],
    ['shape.local', '300'],
    ['shape.global', '5'],
];
const { load } = await import(at('build/web/npm/dist/npm/index.js'));

/// The time of all stages except measuring [s].
const total = ({ roots, body, interaction, solve }) => roots + body + interaction + solve;

function native(threads) {
    const folder = mkdtempSync(join(tmpdir(), 'tendril-speed-'));
    const report = join(folder, 'report.json');
    const sets = overrides.flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    execFileSync(options.native, ['sim', scene, '--frames', `${kFrames}`, '--threads', `${threads}`,
        '--report', report, '--quiet', ...sets]);
    const { time, simd } = JSON.parse(readFileSync(report, 'utf8'));
    rmSync(folder, { recursive: true });
    return { seconds: total(time.stages), simd };
}

function web(engine) {
    const simulation = engine.open(readFileSync(scene, 'utf8'), 'head_10k', overrides);
    let seconds = 0;
    for (let i = 0; i < kFrames; ++i) {
        simulation.step();
        seconds += total(simulation.report().stages);
    }
    simulation.close();
    return { seconds, simd: engine.simd };
}

let tooSlow = false;
for (const threads of [1, 2]) {
    const engine = await load({ threads });
    web(engine); // warm up until the code is compiled
    let best = { native: Infinity, web: Infinity };
    let names = '';
    for (let round = 0; round < Number(options.rounds); ++round) {
        const a = native(threads);
        const b = web(engine);
        best = { native: Math.min(best.native, a.seconds), web: Math.min(best.web, b.seconds) };
        names = `${b.simd} against ${a.simd}`;
    }
    engine.close();
    const ratio = best.web / best.native;
    tooSlow ||= ratio > kMaxRatio;
    const ms = (seconds) => ((seconds / kFrames) * 1e3).toFixed(1);
    const times = `${ms(best.web)} ms against ${ms(best.native)} ms per step`;
    console.log(`${threads} threads, ${names}: ${times}, ${ratio.toFixed(2)} times`);
}
process.exit(tooSlow ? 1 : 0);
