/// The gallery, made from the repository's scene files when the page is built.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CatalogueIndex, CatalogueScene, Group } from './src/ui/catalogue_types';

/// Where a scene's content does not say what it is.
const groups: Record<string, Group> = { bunny: 'fur', head_10k: 'papers', head_100k: 'papers' };

/// Scenes that were made for films have more strands than a browser moves in real time. Fewer are drawn thicker.
const lighter: Record<string, [string, string][]> = {
    long_hair: [['groom.0.strands', '2000'], ['render.width_scale', '8']],
    head_turn: [['groom.0.strands', '2000'], ['render.width_scale', '8']],
    girl: [['groom.0.strands', '2000']],
    bust: [['groom.0.strands', '2500']],
    mannequin_a: [['groom.0.strands', '2200'], ['groom.1.strands', '800']],
    fig2_plain: [['groom.0.strands', '2000']],
    fig2_shape: [['groom.0.strands', '2000']],
    fig2_volume: [['groom.0.strands', '2000']],
    fig2_both: [['groom.0.strands', '2000']],
    fur: [['groom.0.strands', '6000']],
    creature: [['groom.0.strands', '15000']],
    afghan: [['groom.0.strands', '3000'], ['groom.1.strands', '600']],
    monster: [['groom.0.strands', '4000'], ['groom.1.strands', '3500']],
    head_100k: [['groom.0.strands', '15000']],
};

/// The order within a group; others follow by name.
const first = ['long_hair', 'bust', 'girl', 'mannequin_b', 'mannequin_a', 'bunny', 'fur', 'hello', 'twist_loop', 'tear'];

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
            const overrides = lighter[name] ?? [];
            index.scenes.push({ name, title: titleOf(name), about: firstComment(text), group, path, files: refers, overrides });
            for (const file of [path, ...refers]) files.set(file, join(folder, file));
        }
    }
    const rank = (scene: CatalogueScene) => (first.indexOf(scene.name) + 1 || first.length + 1);
    index.scenes.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    return { index, files: [...files].map(([to, from]) => ({ from, to })) };
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

/// The first comment without the commands that it ends with.
function firstComment(text: string): string {
    const lines: string[] = [];
    for (const line of text.split('\n')) {
        if (!line.startsWith('#') || /^#\s{2,}/.test(line)) break;
        lines.push(line.replace(/^#\s?/, ''));
    }
    const all = lines.join(' ').replace(/`tendril [^.]*\./g, '').trim();
    return all.replace(/\s*Any other character will do:$/, '');
}
