/// Sources of scenes: the gallery, the program that serves the page, or a dropped file.

import type { Override, SceneFile } from '../engine/types';
import type { CatalogueIndex, CatalogueScene } from './catalogue_types';

export interface SceneSource {
    /// Its name in a link; null if it has none.
    link: string | null;
    name: string;
    title: string;
    toml: string;
    files: SceneFile[];
    overrides: Override[]; // values with which it opens
}

export const servedName = 'open';

export class Catalogue {
    private readonly sources = new Map<string, Promise<SceneSource>>();

    private constructor(readonly index: CatalogueIndex) {}

    static async load(): Promise<Catalogue> {
        return new Catalogue((await (await get('scenes/index.json')).json()) as CatalogueIndex);
    }

    find(name: string): CatalogueScene | undefined {
        return this.index.scenes.find((scene) => scene.name === name);
    }

    source(name: string): Promise<SceneSource> {
        const found = this.sources.get(name) ?? this.fetch(name);
        this.sources.set(name, found);
        found.catch(() => this.sources.delete(name)); // so that it can be tried again
        return found;
    }

    private async fetch(name: string): Promise<SceneSource> {
        const scene = this.find(name);
        if (!scene) throw new Error(`The gallery has no scene named ${name}.`);
        const [toml, ...files] = await Promise.all([
            get(`scenes/${scene.path}`).then((answer) => answer.text()),
            ...scene.files.map((file) => fetchFile(file, `scenes/${file}`)),
        ]);
        return { link: name, name, title: scene.title, toml, files, overrides: scene.overrides };
    }
}

/// The scene of `tendril view SCENE`, if that serves the page.
export async function servedScene(): Promise<SceneSource | null> {
    interface Served {
        name: string;
        toml: string;
        overrides?: Override[];
        files?: { name: string; url: string }[];
    }
    const answer = await fetch('./open.json').catch(() => null);
    if (!answer?.ok || !answer.headers.get('content-type')?.includes('json')) return null;
    const served = (await answer.json()) as Served | null;
    if (!served) return null;
    const files = await Promise.all((served.files ?? []).map((file) => fetchFile(file.name, file.url)));
    const { name, toml, overrides = [] } = served;
    return { link: servedName, name, title: name, toml, files, overrides };
}

async function fetchFile(name: string, url: string): Promise<SceneFile> {
    return { name, bytes: new Uint8Array(await (await get(url)).arrayBuffer()) };
}

async function get(path: string): Promise<Response> {
    const answer = await fetch(`./${path}`);
    if (!answer.ok) throw new Error(`${path} could not be loaded: ${answer.status} ${answer.statusText}`);
    return answer;
}
