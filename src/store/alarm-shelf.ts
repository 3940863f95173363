// Alarms at hand: what the only writer of a database read or wrote last of them, so that it need not be read again.

import type { KeptAlarm } from './kept-alarm.ts';

/** Enough for some 30,000 alarms; long texts leave room for fewer. */
const mostBytes = 64 * 2 ** 20;

/** Holds what the rows say at this point of the transaction. Whoever changes the rows tells it, or empties it. */
export class AlarmShelf {
  readonly #byId = new Map<number, KeptAlarm>();
  readonly #byTag = new TagMap<KeptAlarm>();
  #bytes = 0;

  get(id: number): KeptAlarm | undefined {
    return this.#byId.get(id);
  }

  find(dataServerId: number, path: string): KeptAlarm | undefined {
    return this.#byTag.get(dataServerId, path);
  }

  /** What came first goes when there is no room. */
  put(alarm: KeptAlarm): void {
    const before = this.#byId.get(alarm.id);
    this.#bytes += bytesOf(alarm) - (before === undefined ? 0 : bytesOf(before));
    this.#byId.set(alarm.id, alarm);
    this.#byTag.set(alarm.dataServerId, alarm.path, alarm);
    for (const id of this.#byId.keys()) {
      if (this.#bytes <= mostBytes) return;
      this.remove(id);
    }
  }

  remove(id: number): void {
    const alarm = this.#byId.get(id);
    if (alarm === undefined) return;
    this.#bytes -= bytesOf(alarm);
    this.#byId.delete(id);
    this.#byTag.delete(alarm.dataServerId, alarm.path);
  }

  empty(): void {
    this.#bytes = 0;
    this.#byId.clear();
    this.#byTag.clear();
  }
}

/** About what it takes: its definition as text and as objects, its words, and everything else. */
function bytesOf({ definitionText, words, comment }: KeptAlarm): number {
  return 1_000 + 2 * (definitionText.length + words.length + comment.length);
}

/** By what an alarm is found when its source sends it. No key is put together: that took a microsecond each time. */
export class TagMap<T> {
  readonly #ofServers = new Map<number, Map<string, T>>();

  get(dataServerId: number, path: string): T | undefined {
    return this.#ofServers.get(dataServerId)?.get(path);
  }

  set(dataServerId: number, path: string, value: T): void {
    const byPath = this.#ofServers.get(dataServerId) ?? new Map<string, T>();
    if (byPath.size === 0) this.#ofServers.set(dataServerId, byPath);
    byPath.set(path, value);
  }

  delete(dataServerId: number, path: string): void {
    this.#ofServers.get(dataServerId)?.delete(path);
  }

  clear(): void {
    this.#ofServers.clear();
  }
}
