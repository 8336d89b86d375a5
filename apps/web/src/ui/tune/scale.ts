/// Maps a slider position in [0, 1] to a value. Ranges that span many powers of ten are logarithmic, but zero stays
/// reachable.

import type { SceneKey } from '../../engine/types';

export interface Scale {
    toValue(position: number): number;
    toPosition(value: number): number;
}

const wideRange = 300; // a range wider than this, relative to a typical value, is logarithmic

export function makeScale(key: SceneKey, current: number): Scale {
    const typical = Math.abs(typeof key.default === 'number' ? key.default : 0) || Math.abs(current);
    const [least, most] = limits(key, typical);
    const whole = key.type === 'integer';
    if (least > 0 && most / least > wideRange) return logarithmic(least, most, whole);
    if ((most - least) / (typical || (most - least)) > wideRange || most - least > 1e5) {
        const small = typical > 0 ? typical / 10 : Math.min(1, Math.max(1e-3, most * 1e-9));
        return aroundZero(least, most, whole ? Math.max(1, small) : small, whole);
    }
    return linear(least, most, whole);
}

function limits(key: SceneKey, typical: number): [number, number] {
    const far = 1000 * Math.max(typical, 1);
    const least = key.least ?? (key.most === null ? -far : Math.min(-far, key.most));
    return [least, key.most ?? Math.max(far, least + far)];
}

function linear(least: number, most: number, whole: boolean): Scale {
    const step = whole ? 1 : niceStep((most - least) / 200);
    return {
        toPosition: (value) => clamp((value - least) / (most - least)),
        toValue: (position) => {
            if (position <= 0) return least;
            if (position >= 1) return most;
            return tidy(Math.round((least + position * (most - least)) / step) * step);
        },
    };
}

function logarithmic(least: number, most: number, whole: boolean): Scale {
    const span = Math.log(most / least);
    return {
        toPosition: (value) => clamp(Math.log(Math.max(value, least) / least) / span),
        toValue: (position) => rounded(least * Math.exp(clamp(position) * span), least, most, whole),
    };
}

/// Linear up to `small` and logarithmic beyond, on both sides of zero.
function aroundZero(least: number, most: number, small: number, whole: boolean): Scale {
    const bend = (value: number) => Math.sign(value) * Math.log1p(Math.abs(value) / small);
    const back = (bent: number) => Math.sign(bent) * small * Math.expm1(Math.abs(bent));
    const [low, high] = [bend(least), bend(most)];
    return {
        toPosition: (value) => clamp((bend(value) - low) / (high - low)),
        toValue: (position) => {
            const value = back(low + clamp(position) * (high - low));
            return rounded(Math.abs(value) < small * 0.02 ? 0 : value, least, most, whole);
        },
    };
}

function rounded(value: number, least: number, most: number, whole: boolean): number {
    const short = whole ? Math.round(Number(value.toPrecision(2))) : Number(value.toPrecision(2));
    return Math.min(most, Math.max(least, short));
}

function niceStep(step: number): number {
    const power = 10 ** Math.floor(Math.log10(step));
    const factor = step / power;
    return power * (factor > 5 ? 10 : factor > 2 ? 5 : factor > 1 ? 2 : 1);
}

function tidy(value: number): number {
    return Number(value.toPrecision(9));
}

function clamp(position: number): number {
    return Math.min(1, Math.max(0, position));
}
