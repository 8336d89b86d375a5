/// Builds the gallery from the repository's scene files when the page is built.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CatalogueIndex, CatalogueScene, Group } from './src/ui/catalogue_types';

/// The groups of scenes that their content does not determine.
const groups: Record<string, Group> = { bunny: 'fur', head_10k: 'papers', head_100k: 'papers' };

/// Scenes made for films are too slow for real time in a browser. The page opens them with fewer but thicker strands,
/// with less time to settle, because the user watches it, and with coarser distance fields.
const lighter: Record<string, Record<string, number>> = {
    bust: { 'groom.0.strands': 1000, 'sim.settle': 1 },
    long_hair: { ...strands(700, 20), 'sim.substeps': 4, 'sim.settle': 1, 'render.width_scale': 12 },
    head_turn: {
        ...strands(1000, 20),
        'sim.substeps': 4,
        'sim.settle': 1,
        'body.0.collide_cell': 0.008,
        'render.width_scale': 11,
    },
    girl: { 'groom.0.strands': 1200, 'sim.settle': 1, 'body.0.collide_cell': 0.008 },
    mannequin_a: { 'groom.0.strands': 800, 'groom.1.strands': 300, 'sim.settle': 1 },
    mannequin_b: { 'sim.settle': 1 },
    fig2_plain: { 'groom.0.strands': 800, 'sim.settle': 1 },
    fig2_shape: { 'groom.0.strands': 800, 'sim.settle': 1 },
    fig2_volume: { 'groom.0.strands': 800, 'sim.settle': 1 },
    fig2_both: { 'groom.0.strands': 800, 'sim.settle': 1 },
    fur: { 'groom.0.strands': 3000, 'sim.substeps': 4, 'sim.settle': 0.5, 'body.0.collide_cell': 0.02 },
    creature: { 'groom.0.strands': 8000 },
    afghan: { 'groom.0.strands': 2500, 'groom.1.strands': 500, 'sim.settle': 1, 'body.0.collide_cell': 0.02 },
    monster: { 'groom.0.strands': 2500, 'groom.1.strands': 2000, 'sim.settle': 1, 'body.0.collide_cell': 0.02 },
    horse: { 'groom.0.strands': 900, 'groom.1.strands': 800, 'sim.settle': 1 },
    head_100k: { 'groom.0.strands': 12000 },
};

function strands(count: number, particles: number): Record<string, number> {
    return { 'groom.0.strands': count, 'groom.0.particles': particles };
}

/// These scenes come first in their group, in this order; the others follow by name.
const first = ['bust', 'long_hair', 'girl', 'mannequin_b', 'mannequin_a', 'bunny', 'fur', 'twist_loop', 'tear'];

export function readCatalogue(folder: string): { index: CatalogueIndex; files: { from: string; to: string }[] } {
    const index: CatalogueIndex = { scenes: [], leftOut: [] };
    const files = new Map<string, string>();
    const paths = [...sceneFiles(folder, ''), ...sceneFiles(folder, 'papers/')];
    for (const path of paths) {
        const text = readFileSync(join(folder, path), 'utf8');
        const name = basename(path, '.toml');
        const refers = referredFiles(text);
        const missing = refers.find((file) => file.startsWith('..') || !existsSync(join(folder, file)));
        if (/^\s*rigid\s*=\s*"(?!none)/m.test(text)) {
            index.leftOut.push({ name, why: 'needs rigid bodies' });
        } else if (missing) {
            index.leftOut.push({ name, why: `needs ${missing}` });
        } else {
            const group = groups[name] ?? groupOf(path, text);
            const [title, about] = [titleOf(name), firstComment(text)];
            const overrides = lighterValues(name);
            index.scenes.push({ name, title, about, group, path, files: refers, overrides });
            for (const file of [path, ...refers]) files.set(file, join(folder, file));
        }
    }
    const rank = (scene: CatalogueScene) => (first.indexOf(scene.name) + 1 || first.length + 1);
    index.scenes.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    return { index, files: [...files].map(([to, from]) => ({ from, to })) };
}

function lighterValues(name: string): [string, string][] {
    return Object.entries(lighter[name] ?? {}).map(([key, value]) => [key, String(value)]);
}

function sceneFiles(folder: string, under: string): string[] {
    if (!existsSync(join(folder, under))) return [];
    return readdirSync(join(folder, under)).filter((file) => file.endsWith('.toml')).map((file) => under + file).sort();
}

function referredFiles(text: string): string[] {
    const content = text.replace(/^\s*#.*$/gm, '');
    const value = /=\s*"([^"]+\.(?:tfx|tfxbone|tfxmesh|hair|data|obj|usda|glb|gltf|png))"/g;
    return [...content.matchAll(value)].map((match) => match[1]);
}

function groupOf(path: string, text: string): Group {
    if (path.startsWith('papers/')) return 'papers';
    if (/type\s*=\s*"chain_shape"/.test(text)) return 'strings';
    if (/style\s*=\s*"rope"/.test(text)) return 'ropes';
    if (/mesh\s*=\s*"creature"/.test(text)) return 'fur';
    return 'hair';
}

function titleOf(name: string): string {
    const words = name.replace(/_/g, ' ').replace(/(\d+)k\b/, '$1,000');
    const paper = /^([a-z]+)(\d\d) fig(\d+)$/.exec(words);
    if (paper) return `${paper[1] === 'mueller' ? 'Müller' : capital(paper[1])} 20${paper[2]}, figure ${paper[3]}`;
    return capital(words.replace(/^fig(\d)/, 'figure $1,').replace(/ [a-z]$/, (letter) => letter.toUpperCase()));
}

function capital(words: string): string {
    return words.charAt(0).toUpperCase() + words.slice(1);
}

/// The first comment, without the commands at its end.
function firstComment(text: string): string {
    const lines: string[] = [];
    for (const line of text.split('\n')) {
        if (!line.startsWith('#') || /^#\s{2,}/.test(line)) break;
        lines.push(line.replace(/^#\s?/, ''));
    }
    const all = lines.join(' ').replace(/`tendril [^.]*\./g, '').trim();
    return all.replace(/\s*Any other character will do:$/, '');
}
