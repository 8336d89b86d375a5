/// Helpers for the tests of the page: a server (`tendril view`) and a browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const root = resolve(import.meta.dirname, '../../..');
export const program = process.env.TENDRIL_PROGRAM ?? join(root, 'build/release/bin/tendril');
export const output = join(root, 'build/web/test');

/// A real file that is not part of the project; null if it is not installed.
export function shared(name) {
    const file = join(root, '../shared/data', name);
    return existsSync(file) ? file : null;
}

/// Serves the page with the program. `stop` interrupts it as Ctrl-C does and returns its exit code.
export async function serve(...options) {
    const child = spawn(program, ['view', '--port', '0', '--no-browser', ...options], { cwd: root });
    let printed = '';
    child.stderr.on('data', (data) => (printed += data));
    const address = await new Promise((found, failed) => {
        child.stdout.on('data', (data) => {
            printed += data;
            const match = printed.match(/http:\/\/[^\s]+/);
            if (match) found(match[0]);
        });
        child.on('exit', (code) => failed(new Error(`tendril view ended with ${code}: ${printed}`)));
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

/// Opens the page and waits until its scene runs. Collects errors in `problems` and requests to other hosts in
/// `strangers`.
export async function openPage(context, address, fragment = '') {
    const page = await context.newPage();
    const problems = [];
    const externalRequests = [];
    page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !/^(blob|data):/.test(url)) externalRequests.push(url);
    });
    await page.goto(address + fragment);
    await page.evaluate(() => window.tendrilPage.ready);
    return { page, problems, externalRequests };
}

/// Waits until the page's simulation has taken at least this many more steps.
export async function waitSteps(page, steps) {
    const taken = () => page.evaluate(() => window.tendrilPage.report()?.steps ?? 0);
    const until = (await taken()) + steps;
    await page.waitForFunction((n) => (window.tendrilPage.report()?.steps ?? 0) >= n, until, { timeout: 90000 });
}

/// Chooses a tool on the tool strip.
export async function chooseTool(page, name) {
    await page.click(`[data-tool="${name}"]`);
}
