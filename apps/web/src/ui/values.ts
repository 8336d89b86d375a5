/// Converts values of scene keys to and from TOML and readable text.

import type { SceneKey, SceneTable, SceneValue, Vec3 } from '../engine/types';

export function toToml(value: SceneValue | null, key?: SceneKey): string {
    if (value === null) return '';
    if (Array.isArray(value)) return `[${value.map(shortNumber).join(', ')}]`;
    if (typeof value === 'number') return shortNumber(value);
    if (typeof value === 'boolean') return String(value);
    return key?.type === 'text' ? JSON.stringify(value) : value;
}

/// The shortest text that gives the same value in single precision: 0.1 rather than 0.10000000149011612.
export function shortNumber(value: number): string {
    if (!Number.isFinite(value)) return '0';
    const short = Number(value.toPrecision(7));
    const same = Math.fround(short) === Math.fround(value);
    return String(same ? short : value);
}

export function fromToml(text: string, key: SceneKey): SceneValue {
    switch (key.type) {
        case 'number':
        case 'integer':
            return Number(text);
        case 'boolean':
            return text === 'true';
        case 'vector':
        case 'direction':
            return toVector(text);
        case 'gravity':
            return text.startsWith('[') ? toVector(text) : [0, -Number(text), 0];
        default:
            return text.startsWith('"') ? (JSON.parse(text) as string) : text;
    }
}

function toVector(text: string): Vec3 {
    const parts = text.replace(/[[\]]/g, '').split(',').map(Number);
    return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

export function sameValue(a: SceneValue | null | undefined, b: SceneValue | null | undefined): boolean {
    if (Array.isArray(a) && Array.isArray(b)) return a.every((part, index) => sameValue(part, b[index]));
    if (typeof a === 'number' && typeof b === 'number') return Math.fround(a) === Math.fround(b);
    return a === b;
}

/// Finds the table entry of a full key such as "groom.0.length".
export function findKey(tables: SceneTable[], full: string): SceneKey | undefined {
    const [first, ...parts] = full.split('.');
    const table = tables.find((candidate) => candidate.name === first);
    if (table?.repeated && /^\d+$/.test(parts[0] ?? '')) parts.shift();
    return table?.keys.find((key) => key.name === parts.join('.'));
}

/// The world's key for a setting of a groom: "shape.local" for "groom.0.shape.local".
export function worldKey(full: string): string | null {
    const own = /^groom\.\d+\.(\w+)\.(.+)$/.exec(full);
    if (!own) return null;
    return `${own[1] === 'look' ? 'render' : own[1]}.${own[2]}`;
}

export function rangeText(key: SceneKey): string {
    const unit = key.unit ? ` ${key.unit}` : '';
    if (key.choices.length) return key.choices.join(', ');
    if (key.least !== null && key.most !== null) return `${shortNumber(key.least)} to ${shortNumber(key.most)}${unit}`;
    if (key.least !== null) return `at least ${shortNumber(key.least)}${unit}`;
    if (key.most !== null) return `at most ${shortNumber(key.most)}${unit}`;
    return key.unit;
}
