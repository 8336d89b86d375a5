// Moves the top of 16 ropes for one second. Run: node examples/node.mjs
import { load } from 'tendril';

const scene = `
[body]
clip = "sway"
amplitude = 0.2

[[groom]]
style = "rope"
strands = 16
particles = 30
length = 0.6

[solver]
type = "dftl"
`;

const engine = await load();
const simulation = engine.open(scene, 'ropes');
let worst = 0;
for (let i = 0; i < 60; ++i) {
    simulation.step();
    worst = Math.max(worst, simulation.report().stretchMax);
}
const { points } = simulation.advance(0);
console.log(`Tendril ${engine.version}, ${engine.simd}, ${engine.threads} threads`);
console.log(`${points[0].length / 3} points after 60 steps; worst stretch ${worst.toExponential(1)}`);
simulation.close();
engine.close();
