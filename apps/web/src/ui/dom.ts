/// Helpers to create elements.

type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;
type Child = Node | string | null | undefined | false;

/// Creates an element. Attributes have their HTML names; `onclick` and other events take functions; false and null omit
/// an attribute.
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, '');
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(...children.filter((child): child is Node | string => child instanceof Node || !!child));
    return element;
}

/// Converts text with `code` in backticks to elements.
export function prose(text: string): (HTMLElement | string)[] {
    return text.split('`').map((part, index) => (index % 2 ? el('code', {}, part) : part));
}

export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

export function download(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    const link = el('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function isTextField(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
    return target instanceof HTMLTextAreaElement || target.isContentEditable;
}
