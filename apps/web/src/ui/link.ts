/// The fragment of the URL, which describes what to open:
/// "#long_hair&groom.0.strands=2000&solver.type=pbd&speed=1/4&view=..."
///
/// A scene's name alone opens it as the gallery does. With anything after the name, exactly the listed values are
/// overridden; "plain" means none. A scene dropped as a single TOML file is included in the link, compressed.

import type { Override } from '../engine/types';
import type { CameraState } from '../stage/stage';
import type { Setup } from './session';

export interface Link {
    scene: string | null;
    toml: string | null; // of a scene included in the link
    overrides: Override[] | null; // null: those of the gallery
    beside: string | null;
    view: CameraState | null;
    speed: number;
}

export const speeds: [label: string, factor: number][] = [['1', 1], ['1/2', 0.5], ['1/4', 0.25], ['1/10', 0.1]];
const longestToml = 20000; // that fits into a link [characters]

export async function writeLink(setup: Setup, view: CameraState | null, speed: number): Promise<string> {
    const { source, overrides, beside } = setup;
    const parts: string[] = [];
    const fits = source.files.length === 0 && source.toml.length < longestToml;
    if (source.link !== null) parts.push(escape(source.link));
    else if (fits) parts.push(`toml=${await pack(source.toml)}`);
    else return '';
    for (const [key, value] of overrides) parts.push(`${escape(key)}=${escape(value)}`);
    if (beside) parts.push(`beside=${beside}`);
    if (speed !== 1) parts.push(`speed=${speeds.find(([, factor]) => factor === speed)?.[0] ?? speed}`);
    if (view) parts.push(`view=${view.map(short).join(',')}`);
    if (overrides.length === 0 && (parts.length > 1 || source.overrides.length > 0)) parts.push('plain');
    return `#${parts.join('&')}`;
}

export async function readLink(fragment: string): Promise<Link | null> {
    const parts = fragment.replace(/^#/, '').split('&').filter(Boolean).map(decode);
    if (!parts.length) return null;
    const link: Link = { scene: null, toml: null, overrides: null, beside: null, view: null, speed: 1 };
    const overrides: Override[] = [];
    for (const part of parts) {
        const equals = part.indexOf('=');
        const [key, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
        if (key === 'toml') link.toml = await unpack(value).catch(damaged);
        else if (key === 'beside') link.beside = value;
        else if (key === 'speed') link.speed = readSpeed(value);
        else if (key === 'view') link.view = readView(value);
        else if (key === 'plain') link.overrides = overrides;
        else if (key.includes('.')) overrides.push([key, value]);
        else if (equals < 0) link.scene = key;
    }
    if (overrides.length) link.overrides = overrides;
    return link.scene || link.toml !== null ? link : null;
}

function damaged(): never {
    throw new Error('The scene in this link is damaged: part of the link is missing. Copy the complete link.');
}

function short(value: number): string {
    return String(Number(value.toFixed(3)));
}

function readSpeed(text: string): number {
    const known = speeds.find(([label]) => label === text);
    return known ? known[1] : 1;
}

function readView(text: string): CameraState | null {
    const numbers = text.split(',').map(Number);
    return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as CameraState) : null;
}

/// Keeps characters that are valid in a URL readable.
function escape(text: string): string {
    return encodeURIComponent(text.replace(/, /g, ',')).replace(/%(5B|5D|2C|2F|3A|40|22)/g, decodeURIComponent);
}

function decode(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

async function pack(text: string): Promise<string> {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function unpack(text: string): Promise<string> {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).text();
}
