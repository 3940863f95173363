// A map keyed by data server and path, the identity of an alarm's tag.

/** Looks up without building a combined key. */
export class TagMap<T> {
  readonly #byServer = new Map<number, Map<string, T>>();

  get(dataServerId: number, path: string): T | undefined {
    return this.#byServer.get(dataServerId)?.get(path);
  }

  set(dataServerId: number, path: string, value: T): void {
    const byPath = this.#byServer.get(dataServerId) ?? new Map<string, T>();
    if (byPath.size === 0) this.#byServer.set(dataServerId, byPath);
    byPath.set(path, value);
  }

  delete(dataServerId: number, path: string): void {
    this.#byServer.get(dataServerId)?.delete(path);
  }

  clear(): void {
    this.#byServer.clear();
  }
}
