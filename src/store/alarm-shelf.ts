// Alarms at hand: what the only writer of a database read or wrote last of them, so that it need not be read again.

import type { KeptAlarm } from './kept-alarm.ts';

/** Some 60 MB of them; what came first goes first. */
const mostAlarms = 25_000;

/** Holds what the rows say at this point of the transaction. Whoever changes the rows tells it, or empties it. */
export class AlarmShelf {
  readonly #byId = new Map<number, KeptAlarm>();
  readonly #byTag = new TagMap<KeptAlarm>();

  get(id: number): KeptAlarm | undefined {
    return this.#byId.get(id);
  }

  find(dataServerId: number, path: string): KeptAlarm | undefined {
    return this.#byTag.get(dataServerId, path);
  }

  put(alarm: KeptAlarm): void {
    this.#byId.set(alarm.id, alarm);
    this.#byTag.set(alarm.dataServerId, alarm.path, alarm);
    if (this.#byId.size > mostAlarms) this.remove(this.#byId.keys().next().value ?? 0);
  }

  remove(id: number): void {
    const alarm = this.#byId.get(id);
    if (alarm === undefined) return;
    this.#byId.delete(id);
    this.#byTag.delete(alarm.dataServerId, alarm.path);
  }

  empty(): void {
    this.#byId.clear();
    this.#byTag.clear();
  }
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
