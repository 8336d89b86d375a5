// How much longer the engine takes in WebAssembly than the native program: 10,000 strands of 30 particles with shape
// and grid, with one thread and with two. Both in one run and in turns, so that a busy machine is busy for both.
//   node apps/web/test/speed.mjs [--native FILE] [--rounds N]
// Exit code 1 where it is more than three times as long. `./dev build` and `./dev web` come first.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const kMost = 3;
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

/// Of the stages that move strands, without measuring [s].
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

let bad = false;
for (const threads of [1, 2]) {
    const engine = await load({ threads });
    web(engine); // until then code is still being compiled
    let least = { native: Infinity, web: Infinity };
    let names = '';
    for (let round = 0; round < Number(options.rounds); ++round) {
        const a = native(threads);
        const b = web(engine);
        least = { native: Math.min(least.native, a.seconds), web: Math.min(least.web, b.seconds) };
        names = `${b.simd} against ${a.simd}`;
    }
    engine.close();
    const ratio = least.web / least.native;
    bad ||= ratio > kMost;
    const ms = (seconds) => ((seconds / kFrames) * 1e3).toFixed(1);
    const times = `${ms(least.web)} ms against ${ms(least.native)} ms per step`;
    console.log(`${threads} threads, ${names}: ${times}, ${ratio.toFixed(2)} times`);
}
process.exit(bad ? 1 : 0);
