/// Studio lighting: a key light from the upper left, a weak fill from the right, a rim light from behind that separates
/// hair from the backdrop, and a sky. The lamps are placed as in the pictures of the native program.
import { Color, Vector3 } from 'three';

export type Theme = 'dark' | 'light';

export interface Studio {
    key: Color;
    rim: Color;
    fill: Color;
    sky: Color;
    floor: Color; // light from below
    ground: Color; // reflectance
    top: Color; // of the backdrop, linear display values, not tone-mapped
    bottom: Color;
    divider: number; // sRGB
}

const linear = (r: number, g: number, b: number) => new Color().setRGB(r, g, b);

export const studios: Record<Theme, Studio> = {
    dark: {
        key: linear(3.3, 3.12, 2.85),
        rim: linear(2.5, 2.68, 2.95),
        fill: linear(0.3, 0.35, 0.44),
        sky: linear(0.36, 0.4, 0.47),
        floor: linear(0.12, 0.11, 0.105),
        ground: linear(0.055, 0.057, 0.062),
        top: linear(0.0105, 0.0118, 0.0142),
        bottom: linear(0.042, 0.045, 0.052),
        divider: 0x2c3036,
    },
    light: {
        key: linear(3.3, 3.15, 2.95),
        rim: linear(1.7, 1.78, 1.9),
        fill: linear(0.42, 0.46, 0.52),
        sky: linear(0.66, 0.69, 0.74),
        floor: linear(0.36, 0.345, 0.33),
        ground: linear(0.42, 0.42, 0.43),
        top: linear(0.41, 0.435, 0.47), // darker than white ropes and blonde hair
        bottom: linear(0.6, 0.61, 0.62),
        divider: 0xb9bec6,
    },
};

/// Directions towards the lamps, for a subject that looks along `azimuth` (from +z towards +x).
export function lampDirections(azimuth: number) {
    return {
        key: direction(azimuth - 0.75, 0.72),
        fill: direction(azimuth + 1.0, 0.2),
        rim: direction(azimuth + 2.45, 0.75),
    };
}

function direction(azimuth: number, elevation: number) {
    const c = Math.cos(elevation);
    return new Vector3(Math.sin(azimuth) * c, Math.sin(elevation), Math.cos(azimuth) * c);
}
