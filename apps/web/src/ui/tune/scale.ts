/// How a slider's way from 0 to 1 becomes a value. Ranges of many powers of ten are walked in logarithmic steps, with
/// zero in reach.

import type { SceneKey } from '../../engine/types';

export interface Scale {
    toValue(place: number): number;
    toPlace(value: number): number;
}

const wide = 300; // ranges of more than so many times what is usual are walked in powers

export function makeScale(key: SceneKey, current: number): Scale {
    const usual = Math.abs(typeof key.default === 'number' ? key.default : 0) || Math.abs(current);
    const [least, most] = limits(key, usual);
    const whole = key.type === 'integer';
    if (least > 0 && most / least > wide) return logarithmic(least, most, whole);
    if ((most - least) / (usual || (most - least)) > wide || most - least > 1e5) {
        const small = usual > 0 ? usual / 10 : Math.min(1, Math.max(1e-3, most * 1e-9));
        return aroundZero(least, most, whole ? Math.max(1, small) : small, whole);
    }
    return linear(least, most, whole);
}

function limits(key: SceneKey, usual: number): [number, number] {
    const far = 1000 * Math.max(usual, 1);
    const least = key.least ?? (key.most === null ? -far : Math.min(-far, key.most));
    return [least, key.most ?? Math.max(far, least + far)];
}

function linear(least: number, most: number, whole: boolean): Scale {
    const step = whole ? 1 : niceStep((most - least) / 200);
    return {
        toPlace: (value) => clamp((value - least) / (most - least)),
        toValue: (place) => {
            if (place <= 0) return least;
            if (place >= 1) return most;
            return tidy(Math.round((least + place * (most - least)) / step) * step);
        },
    };
}

function logarithmic(least: number, most: number, whole: boolean): Scale {
    const span = Math.log(most / least);
    return {
        toPlace: (value) => clamp(Math.log(Math.max(value, least) / least) / span),
        toValue: (place) => rounded(least * Math.exp(clamp(place) * span), least, most, whole),
    };
}

/// Linear up to `small`, logarithmic beyond, to both sides.
function aroundZero(least: number, most: number, small: number, whole: boolean): Scale {
    const bend = (value: number) => Math.sign(value) * Math.log1p(Math.abs(value) / small);
    const back = (bent: number) => Math.sign(bent) * small * Math.expm1(Math.abs(bent));
    const [low, high] = [bend(least), bend(most)];
    return {
        toPlace: (value) => clamp((bend(value) - low) / (high - low)),
        toValue: (place) => {
            const value = back(low + clamp(place) * (high - low));
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

function clamp(place: number): number {
    return Math.min(1, Math.max(0, place));
}
