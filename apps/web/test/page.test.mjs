/// Tests of the live page in a real browser.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { waitSteps, openBrowser, openPage, output, program, root, serve, shared, chooseTool } from './browser.mjs';

let server, browser;
before(async () => {
    mkdirSync(join(output, 'gallery'), { recursive: true });
    server = await serve();
    browser = await openBrowser();
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const positions = (page) => page.evaluate(async () => Array.from(await window.tendrilPage.positions(0)));
const report = (page) => page.evaluate(() => window.tendrilPage.report());
const shown = async (page, name) => Number((await page.textContent(`[data-testid="${name}"]`)).replace(/[^0-9.e+-]/g, ''));

/// Steps a paused page without drawing. Without a GPU, drawing takes longer than the engine.
const stepUnseen = (page, steps) => page.evaluate(async (count) => {
    const { simulation } = window.tendrilPage;
    for (let i = 0; i < count; ++i) simulation.done(await simulation.step());
}, steps);

function maxDistance(a, b) {
    assert.equal(a.length, b.length);
    let most = 0;
    for (let i = 0; i < a.length; i += 3) most = Math.max(most, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
    return most;
}

/// The share of pixels in which two pictures differ.
async function difference(page, one, other) {
    return page.evaluate(async ([a, b]) => {
        const pixels = async (data) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
        };
        const [p, q] = [await pixels(a), await pixels(b)];
        let changed = 0;
        for (let i = 0; i < p.length; i += 4)
            if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 24) ++changed;
        return changed / (p.length / 4);
    }, [one.toString('base64'), other.toString('base64')]);
}

test('a first picture appears, and no other host is contacted', async () => {
    const start = Date.now();
    const { page, problems, externalRequests } = await openPage(browser.context, server.address);
    const wall = Date.now() - start;
    const first = await page.evaluate(() => window.tendrilPage.times.firstPicture);
    // The target is 3 s on an idle machine. A busy one may take longer, so the time is only printed.
    console.log(`first picture after ${first.toFixed(0)} ms, ${wall} ms including the browser's start`);
    assert.ok(first > 0);
    assert.deepEqual(problems, []);
    assert.deepEqual(externalRequests, []);
    assert.ok(await page.evaluate(() => window.crossOriginIsolated));
    assert.match(await page.textContent('body'), /\d+ threads/);
    await page.close();
});

test('the engine is small', () => {
    for (const name of ['tendril', 'tendril-threads']) {
        const bytes = gzipSync(readFileSync(join(root, `build/web/engine/${name}.wasm`)), { level: 9 }).length;
        console.log(`${name}.wasm: ${(bytes / 1e6).toFixed(2)} MB compressed`);
        assert.ok(bytes <= 1.5e6, `${name}: ${bytes} bytes`);
    }
});

test('strands are drawn and move', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    await waitSteps(page, 5);
    const before = await positions(page);
    const picture = await page.locator('canvas').screenshot();
    await waitSteps(page, 20);
    assert.ok(maxDistance(before, await positions(page)) > 0.01);
    const change = await difference(page, picture, await page.locator('canvas').screenshot());
    assert.ok(change > 0.0005, `${change} of the picture changes`);
    assert.deepEqual(problems, []);
    await page.close();
});

test('a rope dragged by the pointer follows it and does not stretch', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#rope_drag');
    await waitSteps(page, 30);
    await chooseTool(page, 'grab');
    // The rope swings, so pause before grabbing it.
    await page.evaluate(() => window.tendrilPage.setPlaying(false));
    const before = await positions(page);
    const place = await page.evaluate((at) => window.tendrilPage.stage.project(at), before.slice(-24, -21));
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.waitForTimeout(500);
    await page.evaluate(() => window.tendrilPage.setPlaying(true));
    let worst = 0;
    for (let i = 1; i <= 20; ++i) {
        await page.mouse.move(place.x + 8 * i, place.y - 6 * i);
        await waitSteps(page, 2);
        worst = Math.max(worst, (await report(page)).stretchMax, await shown(page, 'stretch'));
    }
    const held = await positions(page);
    await page.mouse.up();
    assert.ok(maxDistance(before, held) > 0.05);
    assert.ok(worst < 1e-4, `stretch ${worst}`);
    console.log(`worst stretch while dragged ${worst}`);
    assert.deepEqual(problems, []);
    await page.close();
});

test('every solver runs without an error, one after another in the same scene', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    const solvers = await page.locator('[data-testid="solver"] option').evaluateAll((all) => all.map((one) => one.value));
    assert.ok(solvers.length >= 12);
    for (const solver of solvers) {
        await page.evaluate((name) => window.tendrilPage.setSolver(name), solver);
        await waitSteps(page, 10);
        const now = await report(page);
        assert.equal(now.nonfinite, 0, solver);
        assert.deepEqual(problems, [], solver);
        assert.equal(await page.getAttribute('html', 'data-state'), 'running', solver);
    }
    await page.close();
});

test('scenes of the gallery run and draw without an error', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    const scenes = await page.evaluate(() => window.tendrilPage.scenes);
    assert.ok(scenes.length >= 20, `${scenes.length} scenes`);
    // TENDRIL_ALL_SCENES, as set by `./dev test-web --all`, opens all of them, which takes minutes without a GPU.
    const opened = process.env.TENDRIL_ALL_SCENES ? scenes : scenes.filter((_, i) => i % 4 === 0);
    for (const scene of opened) {
        await page.evaluate(async (name) => {
            window.tendrilPage.setPlaying(false);
            await window.tendrilPage.open(name);
        }, scene);
        await stepUnseen(page, 11);
        await page.evaluate(() => window.tendrilPage.setPlaying(true));
        await waitSteps(page, 1);
        const now = await report(page);
        assert.equal(now.nonfinite, 0, scene);
        assert.deepEqual(problems, [], scene);
        assert.equal(await page.getAttribute('html', 'data-state'), 'running', scene);
        await page.evaluate(() => window.tendrilPage.setPlaying(false));
        writeFileSync(join(output, 'gallery', `${scene.replace('/', '_')}.png`), await page.screenshot());
    }
    console.log(`${opened.length} of ${scenes.length} scenes, pictures in build/web/test/gallery`);
    await page.close();
});

test('of several scenes requested at once the last is shown, and undo and redo work on all changes', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    // The first scene loads slowly, the second at once.
    await page.route('**/scenes/bust.toml', async (route) => {
        await new Promise((done) => setTimeout(done, 500));
        await route.continue();
    });
    await page.evaluate(() => Promise.all(['bust', 'rope_drag'].map((name) => window.tendrilPage.open(name))));
    assert.equal(await page.evaluate(() => window.tendrilPage.simulation.info.name), 'rope_drag');
    await page.evaluate(() => {
        const { tendrilPage } = window;
        return Promise.all([tendrilPage.setSolver('pbd'), tendrilPage.set('sim.substeps', '3')]);
    });
    for (const key of ['Control+z', 'Control+z', 'Control+Shift+z']) await page.keyboard.press(key);
    await page.waitForFunction(() => document.querySelector('[aria-label="Redo"]').disabled === false);
    await page.waitForTimeout(1000);
    const toml = await page.evaluate(() => window.tendrilPage.toml());
    assert.match(toml, /type = "pbd"/);
    assert.doesNotMatch(toml, /substeps = 3/);
    assert.deepEqual(problems, []);
    await page.close();
});

test('choosing another tool releases the strand', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#rope_drag');
    await waitSteps(page, 10);
    await page.evaluate(() => window.tendrilPage.setPlaying(false));
    await chooseTool(page, 'grab');
    const at = (await positions(page)).slice(-3);
    const place = await page.evaluate((point) => window.tendrilPage.stage.project(point), at);
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.waitForTimeout(300);
    await page.keyboard.press('4');
    await page.evaluate(() => window.tendrilPage.setPlaying(true));
    await waitSteps(page, 150);  // the top moves from step 50 on, and the end later
    assert.ok(maxDistance(at, (await positions(page)).slice(-3)) > 0.01, 'the end of the rope is still held');
    await page.mouse.up();
    assert.deepEqual(problems, []);
    await page.close();
});

test('the gallery draws its thumbnails when it is opened', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    assert.equal(await page.locator('.card img[src]').count(), 0);
    await page.keyboard.press('g');
    const picture = page.locator('.card img[src]').first();
    await picture.waitFor();
    await picture.evaluate((image) => image.decode());
    assert.ok((await picture.evaluate((image) => image.naturalWidth)) >= 100);
    assert.deepEqual(problems, []);
    await page.close();
});

async function drop(page, name, bytes) {
    const data = await page.evaluateHandle(([file, base64]) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], file));
        return transfer;
    }, [name, bytes.toString('base64')]);
    await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/// A generated .tfx file, so that the test needs no external files.
function madeTfx() {
    const file = join(output, 'made.tfx');
    const made = spawnSync(program, ['groom', 'make', file, '--style', 'wavy', '--strands', '200']);
    assert.equal(made.status, 0, String(made.stderr));
    return readFileSync(file);
}

test('a dropped .tfx loads', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    const files = [['made.tfx', madeTfx()]];
    const real = shared('tressfx4_ratboy/Ratboy_mohawk.tfx') ?? shared('tressfx4_ratboy/ratboy_mohawk.tfx');
    if (real) files.push(['mohawk.tfx', readFileSync(real)]);
    for (const [name, bytes] of files) {
        await drop(page, name, bytes);
        await page.waitForFunction((n) => window.tendrilPage.simulation.info.name.includes(n.replace('.tfx', '')), name);
        await waitSteps(page, 5);
        const now = await report(page);
        assert.equal(now.nonfinite, 0);
        console.log(`${name}: ${await page.evaluate(() => window.tendrilPage.simulation.info.particles)} particles`);
        writeFileSync(join(output, `dropped_${name}.png`), await page.screenshot());
    }
    assert.deepEqual(problems, []);
    await page.close();
});

test('a dropped broken file shows an error, and the scene continues', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#hello');
    await drop(page, 'broken.tfx', madeTfx().subarray(0, 500));
    await page.waitForSelector('[data-testid="error"]');
    const message = await page.locator('[data-testid="error"]').last().textContent();
    console.log(`the page shows: ${message.trim()}`);
    assert.match(message, /broken\.tfx/);
    await waitSteps(page, 5);
    await drop(page, 'broken.toml', Buffer.from('[solver]\ntipe = "pbd"\n'));
    await page.getByText(/tipe/).first().waitFor();
    assert.match(await page.locator('[data-testid="error"]').last().textContent(), /type/);
    assert.deepEqual(problems, []);
    await page.close();
});

test('a damaged link and a wrong value give readable errors', async () => {
    const { page, problems } = await openPage(browser.context, server.address, '#toml=damaged');
    assert.match(await page.locator('[data-testid="error"]').last().textContent(), /link is damaged/);
    for (const value of ['abc', '-1']) {
        const set = (text) => window.tendrilPage.set('groom.0.length', text).catch(String);
        const message = await page.evaluate(set, value);
        assert.match(message, /^Error: .*[a-z]/);
        assert.doesNotMatch(message, /\[object/);
    }
    await waitSteps(page, 2);
    assert.deepEqual(problems, []);
    await page.close();
});

/// The points of the last frame of a cache: its time and origin come before them, its checksum after them (docs/files.md).
function lastFrame(file, points) {
    const bytes = readFileSync(file);
    const padded = Math.ceil((points * 12) / 8) * 8, checksum = 8;
    const head = bytes.length - padded - checksum - 32;
    const origin = [8, 16, 24].map((offset) => bytes.readDoubleLE(head + offset));
    return Array.from({ length: points * 3 }, (_, i) => bytes.readFloatLE(head + 32 + 4 * i) + origin[i % 3]);
}

const kTolerance = 1e-5; // [m]; page and program run the same code, but the last bits may differ between compilers

for (const [name, fragment] of [
    ['hair with shape and grid', '#long_hair&groom.strands=400&interaction.method=grid&sim.settle=0.2'],
    ['ropes', '#hello&solver.type=direct&wind.velocity=[2,0,0]&air.drag_normal=3'],
    ['strings', '#torsion_uniform'],
]) {
    test(`the copied TOML gives the same positions in the program as on the page: ${name}`, async () => {
        const { page, problems } = await openPage(browser.context, server.address, fragment);
        await page.getByRole('button', { name: 'Copy as TOML' }).click();
        const toml = await page.waitForFunction(async () => {
            const text = await navigator.clipboard.readText();
            return text.includes('[sim]') || text.includes('[solver]') ? text : null;
        }).then((handle) => handle.jsonValue());
        await page.evaluate(async () => {
            window.tendrilPage.setPlaying(false);
            await window.tendrilPage.simulation.restart();
        });
        await stepUnseen(page, 60);
        const ours = await positions(page);
        const file = join(output, 'copied.toml');
        const cache = join(output, 'copied.tendril');
        writeFileSync(file, toml);
        const run = spawnSync(program, ['sim', file, '--frames', '60', '--cache', cache, '--quiet']);
        assert.equal(run.status, 0, String(run.stderr));
        const difference = maxDistance(ours, lastFrame(cache, ours.length / 3));
        console.log(`${name}: ${ours.length / 3} points, largest difference ${difference} m`);
        assert.ok(difference <= kTolerance, `${difference} m`);
        assert.deepEqual(problems, []);
        await page.close();
    });
}
