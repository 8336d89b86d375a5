import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { readCatalogue } from './catalogue';

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, '../..');
const page = join(repository, 'build/web/page');

/// Copies the files that Vite does not build next to the page: the engine, built by Emscripten, and the scenes.
function staticFiles(): Plugin {
    return {
        name: 'tendril-static-files',
        apply: 'build',
        closeBundle() {
            const engine = join(repository, 'build/web/engine');
            if (existsSync(engine)) cpSync(engine, join(page, 'engine'), { recursive: true });
            else this.warn('build/web/engine is missing, so the page has no engine');

            const catalogue = readCatalogue(join(repository, 'scenes'));
            for (const file of catalogue.files) {
                mkdirSync(dirname(join(page, 'scenes', file.to)), { recursive: true });
                cpSync(file.from, join(page, 'scenes', file.to));
            }
            writeFileSync(join(page, 'scenes/index.json'), JSON.stringify(catalogue.index));
            writeFileSync(join(page, 'open.json'), 'null'); // `tendril view SCENE` serves its own
        },
    };
}

export default defineConfig({
    root: here,
    base: './',
    publicDir: join(here, 'public'),
    build: { outDir: page, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 },
    worker: { format: 'es' },
    plugins: [staticFiles()],
});
