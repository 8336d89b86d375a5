/// Vector and quaternion functions for pointer tools.

import type { Quaternion, Vec3 } from '../engine/types';

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
export function unit(a: Vec3): Vec3 {
    const size = length(a);
    return size > 0 ? scale(a, 1 / size) : [0, 0, 1];
}

export function turnAbout(axis: Vec3, angle: number): Quaternion {
    const s = Math.sin(angle / 2);
    const [x, y, z] = unit(axis);
    return [x * s, y * s, z * s, Math.cos(angle / 2)];
}

/// The rotation `b` followed by `a`, normalized.
export function after(a: Quaternion, b: Quaternion): Quaternion {
    const q: Quaternion = [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
    const size = Math.hypot(...q);
    return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}
