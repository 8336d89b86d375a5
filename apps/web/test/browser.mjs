/// What the tests of the page need: the page as `tendril view` serves it, and a browser that looks at it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const root = resolve(import.meta.dirname, '../../..');
export const program = process.env.TENDRIL_PROGRAM ?? join(root, 'build/release/bin/tendril');
export const output = join(root, 'build/web/test');

/// Real files that are not part of the project; null where they are not there.
export function shared(name) {
    const file = join(root, '../shared/data', name);
    return existsSync(file) ? file : null;
}

/// The page, served by the program. `stop` ends it by Ctrl-C and gives its exit code.
export async function serve(...options) {
    const child = spawn(program, ['view', '--port', '0', '--no-browser', ...options], { cwd: root });
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    const address = await new Promise((found, failed) => {
        child.stdout.on('data', (data) => {
            said += data;
            const match = said.match(/http:\/\/[^\s]+/);
            if (match) found(match[0]);
        });
        child.on('exit', (code) => failed(new Error(`tendril view ended with ${code}: ${said}`)));
    });
    return {
        address,
        async stop() {
            const ended = new Promise((done) => child.on('exit', done));
            child.kill('SIGINT');
            return ended;
        },
    };
}

/// A browser with a fresh profile and software rendering.
export async function openBrowser() {
    const profile = await mkdtemp(join(tmpdir(), 'tendril-browser-'));
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.TENDRIL_CHROMIUM ?? '/usr/bin/chromium',
        headless: true,
        viewport: { width: 1280, height: 720 },
        acceptDownloads: true,
        permissions: ['clipboard-read', 'clipboard-write'],
        args: [
            '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader',
        ],
    });
    return {
        context,
        async close() {
            await context.close();
            await rm(profile, { recursive: true, force: true });
        },
    };
}

/// Opens the page and waits until its scene runs. What goes wrong in it is collected in `problems`, and where it asks
/// for something from elsewhere in `strangers`.
export async function openPage(context, address, fragment = '') {
    const page = await context.newPage();
    const problems = [];
    const strangers = [];
    page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !/^(blob|data):/.test(url)) strangers.push(url);
    });
    await page.goto(address + fragment);
    await page.evaluate(() => window.tendrilPage.ready);
    return { page, problems, strangers };
}

/// Lets the page's simulation take at least so many more steps.
export async function letPass(page, steps) {
    const taken = () => page.evaluate(() => window.tendrilPage.report()?.steps ?? 0);
    const until = (await taken()) + steps;
    await page.waitForFunction((n) => (window.tendrilPage.report()?.steps ?? 0) >= n, until, { timeout: 90000 });
}

/// The name of a tool's button on the strip.
export async function takeTool(page, name) {
    await page.click(`[data-tool="${name}"]`);
}
