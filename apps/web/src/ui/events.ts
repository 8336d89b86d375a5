/// An event with a list of listeners.
export class Event<T = void> {
    private readonly listeners = new Set<(value: T) => void>();

    on(listener: (value: T) => void): void {
        this.listeners.add(listener);
    }

    emit(value: T): void {
        for (const listener of this.listeners) listener(value);
    }
}
