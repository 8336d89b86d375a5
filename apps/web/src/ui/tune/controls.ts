/// Creates the control for a value, depending on the type of its key.

import type { SceneKey, SceneValue, Vec3 } from '../../engine/types';
import { el } from '../dom';
import { shortNumber, toToml } from '../values';
import { makeScale } from './scale';

export interface Control {
    element: HTMLElement;
    show(value: SceneValue): void;
}
type Change = (text: string) => void;

const sliderSteps = 1000; // positions of a slider

export function makeControl(key: SceneKey, label: string, value: SceneValue, change: Change): Control {
    switch (key.type) {
        case 'number':
        case 'integer':
            return numberControl(key, label, Number(value), change);
        case 'boolean':
            return switchControl(label, change);
        case 'choice':
            return choiceControl(key, label, change);
        case 'vector':
        case 'direction':
        case 'gravity':
            return vectorControl(key, label, change);
        default:
            return textControl(key, label, change);
    }
}

function numberControl(key: SceneKey, label: string, current: number, change: Change): Control {
    const scale = makeScale(key, current);
    const unit = key.unit ? ` ${key.unit}` : '';
    const slider = el('input', { type: 'range', min: 0, max: sliderSteps, step: 1, 'aria-label': `${label}, slider` });
    const field = numberField(key, label);
    const show = (value: number) => {
        if (document.activeElement !== slider) slider.value = String(scale.toPosition(value) * sliderSteps);
        slider.style.setProperty('--position', String(scale.toPosition(value)));
        slider.setAttribute('aria-valuetext', shortNumber(value) + unit);
        if (document.activeElement !== field) field.value = shortNumber(value);
    };
    slider.addEventListener('input', () => {
        const value = scale.toValue(Number(slider.value) / sliderSteps);
        show(value);
        change(shortNumber(value));
    });
    field.addEventListener('change', () => {
        const value = clampToRange(key, Number(field.value));
        if (field.value === '' || !Number.isFinite(value)) return;
        field.value = shortNumber(value);
        show(value);
        change(shortNumber(value));
    });
    const element = el('div', { class: 'control number' }, slider, field, el('span', { class: 'unit' }, key.unit));
    return { element, show: (value) => show(Number(value)) };
}

function numberField(key: SceneKey, label: string): HTMLInputElement {
    const step = key.type === 'integer' ? 1 : 'any';
    const field = el('input', { type: 'number', step, min: key.least, max: key.most, 'aria-label': label });
    field.inputMode = key.least !== null && key.least >= 0 ? 'decimal' : 'text'; // some decimal keyboards have no minus
    return field;
}

function clampToRange(key: SceneKey, value: number): number {
    const whole = key.type === 'integer' ? Math.round(value) : value;
    return Math.min(key.most ?? Infinity, Math.max(key.least ?? -Infinity, whole));
}

function switchControl(label: string, change: Change): Control {
    const box = el('input', { type: 'checkbox', role: 'switch', 'aria-label': label });
    box.addEventListener('change', () => change(String(box.checked)));
    return {
        element: el('div', { class: 'control boolean' }, box),
        show: (value) => (box.checked = value === true),
    };
}

function choiceControl(key: SceneKey, label: string, change: Change): Control {
    const options = key.choices.map((choice) => el('option', { value: choice }, choice));
    const select = el('select', { 'aria-label': label }, ...options);
    select.addEventListener('change', () => change(select.value));
    return {
        element: el('div', { class: 'control choice' }, select),
        show: (value) => (select.value = String(value)),
    };
}

function vectorControl(key: SceneKey, label: string, change: Change): Control {
    const fields = ['x', 'y', 'z'].map((axis) => numberField(key, `${label} ${axis}`));
    const read = () => {
        const value = fields.map((field) => clampToRange(key, Number(field.value))) as Vec3;
        const usable = value.every(Number.isFinite) && (key.type !== 'direction' || value.some((part) => part !== 0));
        if (usable) change(toToml(value, key));
    };
    fields.forEach((field) => field.addEventListener('change', read));
    return {
        element: el('div', { class: 'control vector' }, ...fields, el('span', { class: 'unit' }, key.unit)),
        show: (value) => {
            const vector: Vec3 = Array.isArray(value) ? value : [0, -Number(value), 0];
            fields.forEach((field, index) => {
                if (document.activeElement !== field) field.value = shortNumber(vector[index]);
            });
        },
    };
}

function textControl(key: SceneKey, label: string, change: Change): Control {
    const field = el('input', { type: 'text', 'aria-label': label, spellcheck: 'false', autocomplete: 'off' });
    field.addEventListener('change', () => change(toToml(field.value, key)));
    return {
        element: el('div', { class: 'control text' }, field),
        show: (value) => {
            if (document.activeElement !== field) field.value = String(value);
        },
    };
}
