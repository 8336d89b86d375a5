// Reads a .usda file with an independent reader, the npm package tinyusdz, and prints all BasisCurves and their
// attributes with all numbers as JSON. TENDRIL_NODE_MODULES must name the node_modules folder with the package.
//   node usd_reader_check.mjs FILE.usda
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The package is built for browsers and refuses to start anywhere else.
globalThis.window = globalThis;
Object.defineProperty(process, 'type', { value: 'renderer' });

async function loadReader() {
    const folder = path.join(process.env.TENDRIL_NODE_MODULES, 'tinyusdz');
    const module = await import(pathToFileURL(path.join(folder, 'tinyusdz.js')).href);
    const wasmBinary = fs.readFileSync(path.join(folder, 'tinyusdz.wasm'));
    return module.default({ locateFile: (name) => name, wasmBinary });
}

const numbers = (text) => (text.match(/-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)/g) ?? []).map(Number);

// The reader returns arrays only as text in its own format, one attribute or sample per line.
function curvesIn(layerText) {
    const curves = [];
    let samples = null;
    for (const line of layerText.split('\n')) {
        const prim = line.match(/^\s*def (\w+) "(.*)"/);
        if (prim) {
            curves.push({ type: prim[1], name: prim[2], attributes: {} });
            continue;
        }
        const attributes = curves.at(-1)?.attributes;
        const attribute = line.match(/^\s*(?:uniform )?[\w[\]]+ ([\w:]+)(\.timeSamples)? = (.*)$/);
        const sample = line.match(/^\s*(-?[\d.e+-]+): (.*)$/);
        if (attributes && attribute) {
            const entry = (attributes[attribute[1]] ??= {});
            samples = attribute[2] ? (entry.samples = {}) : null;
            const text = attribute[3];
            if (!samples) entry.value = text.startsWith('"') ? text.split('"')[1] : numbers(text);
        } else if (samples && sample) {
            samples[sample[1]] = numbers(sample[2]);
        }
    }
    return curves.filter((curve) => curve.type === 'BasisCurves');
}

const native = await loadReader();
const bytes = fs.readFileSync(process.argv[2]);
const layer = new native.TinyUSDZLoaderNative();
const stage = new native.TinyUSDZLoaderNative();
const readable = layer.loadAsLayerFromBinary(bytes, 'check.usda');
const sound = stage.loadFromBinary(bytes, 'check.usda');  // checks the attributes against the schema
console.log(JSON.stringify({
    ok: readable && sound,
    error: `${layer.error()}${stage.error()}`,
    curves: readable ? curvesIn(layer.layerToString()) : [],
}));
