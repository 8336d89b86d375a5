/// Line icons of the page, on a 20 x 20 grid.

const paths = {
    orbit: '<circle cx="10" cy="10" r="2.2"/><path d="M17.5 10c0 2-3.4 3.6-7.5 3.6S2.5 12 2.5 10 5.9 6.4 10 6.400c2 0 3.7.3 5 .9"/><path d="m13.2 4.8 2.3 2.6-3.1 1.5"/>',
    grab: '<path d="M6.5 10.500V5.600a1.2 1.2 0 0 1 2.4 0v3.600m0-4.900a1.2 1.2 0 0 1 2.4 0v4.900m0-3.900a1.2 1.2 0 0 1 2.4 0v4m0-2.500a1.2 1.2 0 0 1 2.3 0v5.200c0 3-2 5-4.9 5-2.4 0-3.6-1-4.7-2.900L4 11.300c-.8-1.5 1-2.6 2-1.300l1 1.3"/>',
    head: '<path d="M6 17v-2.600C4.5 13.2 3.7 11.5 3.7 9.500a6 6 0 0 1 12-.2l1.1 2.600c.2.5 0 .8-.5.9l-.8.200v1.800c0 .8-.5 1.2-1.2 1.200H13V17"/><path d="M7.5 9.500a2.5 2.5 0 1 1 2.5 2.5"/><path d="m8.8 10.8 1.3 1.2-1.3 1.2"/>',
    wind: '<path d="M2.5 7.500h9.200a2.3 2.3 0 1 0-2.3-2.300M2.5 10.500h13a2.2 2.2 0 1 1-2.2 2.200M2.5 13.500h6a1.9 1.9 0 1 1-1.9 1.9"/>',
    cut: '<circle cx="5.2" cy="5.5" r="2.2"/><circle cx="5.2" cy="14.5" r="2.2"/><path d="m7 6.8 10 7.200M7 13.2 17 6"/>',
    twist: '<path d="M3 6.500c4.5 0 4.5 7 9 7M3 13.500c4.5 0 4.5-7 9-7"/><path d="M12 6.500h2.500M12 13.500h2.5"/><rect x="14.5" y="4.5" width="3" height="11" rx="1"/>',
    play: '<path d="M6 4.200v11.600l9.5-5.800z" fill="currentColor"/>',
    pause: '<path d="M6.5 4.500v11M13.5 4.500v11" stroke-width="2.6"/>',
    step: '<path d="M4.5 4.500v11l7.5-5.500z" fill="currentColor"/><path d="M15 4.500v11" stroke-width="2.2"/>',
    restart: '<path d="M4 10a6 6 0 1 0 2-4.5"/><path d="M3.5 3.500v3.700h3.7"/>',
    rest: '<path d="M3 4h14M6 4v9.500M10 4v12M14 4v9.5"/>',
    link: '<path d="M8.5 11.500a3 3 0 0 0 4.3 0l2.7-2.700a3 3 0 0 0-4.3-4.300l-1 1"/><path d="M11.5 8.500a3 3 0 0 0-4.3 0l-2.7 2.700a3 3 0 0 0 4.3 4.300l1-1"/>',
    copy: '<rect x="7" y="7" width="9.5" height="9.5" rx="1.8"/><path d="M4.8 13H4.500A1.5 1.5 0 0 1 3 11.500v-7A1.5 1.5 0 0 1 4.5 3h7A1.5 1.5 0 0 1 13 4.5"/>',
    record: '<circle cx="10" cy="10" r="6.5"/><circle cx="10" cy="10" r="3" fill="currentColor" stroke="none"/>',
    stop: '<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor"/>',
    picture: '<path d="M3 7.300A1.5 1.5 0 0 1 4.5 5.800h2L7.7 4h4.600l1.2 1.800h2A1.5 1.5 0 0 1 17 7.300v7a1.5 1.5 0 0 1-1.5 1.500h-11A1.5 1.5 0 0 1 3 14.300z"/><circle cx="10" cy="10.6" r="2.7"/>',
    sun: '<circle cx="10" cy="10" r="3.3"/><path d="M10 2.500v1.700M10 15.800v1.700M2.5 10h1.700M15.8 10h1.700M4.7 4.700l1.2 1.200M14.1 14.100l1.2 1.200M4.7 15.300l1.2-1.200M14.1 5.900l1.2-1.2"/>',
    moon: '<path d="M16.5 11.700A6.7 6.7 0 0 1 8.3 3.500a6.7 6.7 0 1 0 8.2 8.200z"/>',
    tune: '<path d="M3 6h7M14 6h3M3 14h3M10 14h7"/><circle cx="12" cy="6" r="2"/><circle cx="8" cy="14" r="2"/>',
    stats: '<path d="M3 3v14h14"/><path d="m5.5 12.5 3-4 3 2.5 4.5-6"/>',
    more: '<g fill="currentColor" stroke="none"><circle cx="4.5" cy="10" r="1.5"/><circle cx="10" cy="10" r="1.5"/><circle cx="15.5" cy="10" r="1.5"/></g>',
    file: '<path d="M10 13V4.500M6.7 7.5 10 4.200l3.3 3.3"/><path d="M3.5 12.500v2A1.5 1.5 0 0 0 5 16h10a1.5 1.5 0 0 0 1.5-1.500v-2"/>',
    undo: '<path d="M4 8h8a4 4 0 0 1 0 8H8"/><path d="M7 4.7 3.7 8 7 11.3"/>',
    redo: '<path d="M16 8H8a4 4 0 0 0 0 8h4"/><path d="M13 4.7 16.3 8 13 11.3"/>',
    help: '<circle cx="10" cy="10" r="7"/><path d="M7.9 8a2.1 2.1 0 1 1 3.2 1.800c-.7.4-1.1.8-1.1 1.6"/><circle cx="10" cy="13.9" r=".5" fill="currentColor"/>',
    close: '<path d="m5 5 10 10M15 5 5 15"/>',
    chevron: '<path d="m6 8 4 4 4-4"/>',
    frame: '<path d="M3 7V4.500A1.5 1.5 0 0 1 4.5 3H7M13 3h2.500A1.5 1.5 0 0 1 17 4.500V7M17 13v2.500a1.5 1.5 0 0 1-1.5 1.500H13M7 17H4.500A1.5 1.5 0 0 1 3 15.500V13"/>',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
    const holder = document.createElement('template');
    holder.innerHTML = `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${paths[name]}</svg>`;
    return holder.content.firstElementChild as SVGSVGElement;
}

export function setIcon(button: HTMLElement, name: IconName): void {
    button.querySelector('svg')?.replaceWith(icon(name));
}
