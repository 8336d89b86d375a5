/// Opens files that are dropped on the page or chosen with the button.

import type { Engine, SceneFile } from '../engine/types';
import { el } from './dom';
import type { SceneSource } from './scenes';

export const accepted = '.toml,.tfx,.tfxbone,.tfxmesh,.hair,.data,.obj,.glb,.gltf,.usda,.png';

/// Makes a scene from files: the TOML among them with the files it refers to, or a new scene that shows a groom or
/// mesh.
export async function sourceOf(engine: Engine, dropped: File[]): Promise<SceneSource> {
    const files = await Promise.all(dropped.map(read));
    const scene = files.find((file) => file.name.toLowerCase().endsWith('.toml'));
    if (scene) {
        const toml = new TextDecoder().decode(scene.bytes);
        const others = files.filter((file) => file !== scene).map((file) => named(file, toml));
        return source(scene.name, toml, others);
    }
    const shown = files.filter((file) => /\.(tfx|hair|data|obj|usda|glb|gltf)$/i.test(file.name));
    if (shown.length > 1) {
        const names = shown.map((file) => file.name).join(', ');
        throw new Error(`${names}: drop one file at a time, or add a .toml that refers to all of them.`);
    }
    const main = shown[0] ?? files[0];
    return source(main.name, await engine.sceneFor(main), files);
}

function source(name: string, toml: string, files: SceneFile[]): SceneSource {
    return { link: null, name: name.replace(/\.toml$/i, ''), title: name, toml, files, overrides: [] };
}

async function read(file: File): Promise<SceneFile> {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/// Dropped files have no folders. This restores the path that the scene uses for the file.
function named(file: SceneFile, toml: string): SceneFile {
    const texts = [...toml.matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map((match) => match[1] ?? match[2]);
    const name = texts.find((text) => text === file.name || text.endsWith(`/${file.name}`)) ?? file.name;
    return { name, bytes: file.bytes };
}

/// Accepts files dropped anywhere on the page.
export function acceptDrops(open: (files: File[]) => void): HTMLElement {
    const veil = el('div', { class: 'drop-veil', 'aria-hidden': 'true' }, el('p', {}, 'Drop a scene, groom or mesh'));
    let depth = 0;
    const show = (shown: boolean) => veil.classList.toggle('shown', shown);
    window.addEventListener('dragenter', (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        ++depth;
        show(true);
    });
    window.addEventListener('dragleave', () => {
        depth = Math.max(0, depth - 1);
        if (depth === 0) show(false);
    });
    window.addEventListener('dragover', (event) => event.preventDefault());
    window.addEventListener('drop', (event) => {
        event.preventDefault();
        depth = 0;
        show(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length) open(files);
    });
    return veil;
}

export function chooseFiles(open: (files: File[]) => void): void {
    const input = el('input', { type: 'file', multiple: true, accept: accepted });
    input.addEventListener('change', () => {
        const files = [...(input.files ?? [])];
        if (files.length) open(files);
    });
    input.click();
}
