// Alarms at hand: what the only writer of a database read or wrote last of them, so that it need not be read again.

import type { KeptAlarm } from './kept-alarm.ts';

/** Enough for some 15,000 alarms; long texts leave room for fewer. With twice as much, 100,000 alarms took 130 MB more. */
const mostBytes = 32 * 2 ** 20;

/** Holds what the rows say at this point of the transaction. Whoever changes the rows tells it, or empties it. */
export class AlarmShelf {
  readonly #byId = new Map<number, KeptAlarm>();
  readonly #byTag = new TagMap<KeptAlarm>();
  #bytes = 0;
  /** How many more alarms were turned away than found since there is no room. */
  #missed = 0;

  get(id: number): KeptAlarm | undefined {
    return this.#found(this.#byId.get(id));
  }

  find(dataServerId: number, path: string): KeptAlarm | undefined {
    return this.#found(this.#byTag.get(dataServerId, path));
  }

  #found(alarm: KeptAlarm | undefined): KeptAlarm | undefined {
    if (alarm !== undefined && this.#missed > 0) this.#missed--;
    return alarm;
  }

  /**
   * Without room a new one is turned away, for sources mostly send in turn: whatever made room would be needed next. When
   * those that are here are of no use any more, all of them go.
   */
  put(alarm: KeptAlarm): void {
    const before = this.#byId.get(alarm.id);
    const more = bytesOf(alarm) - (before === undefined ? 0 : bytesOf(before));
    if (this.#bytes + more > mostBytes) {
      this.remove(alarm.id);
      if (++this.#missed > this.#byId.size) this.empty();
      return;
    }
    this.#bytes += more;
    this.#byId.set(alarm.id, alarm);
    this.#byTag.set(alarm.dataServerId, alarm.path, alarm);
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
    this.#missed = 0;
    this.#byId.clear();
    this.#byTag.clear();
  }
}

/** About what it takes: its definition as text and as objects, its words, and everything else. */
function bytesOf({ definitionText, words, comment }: KeptAlarm): number {
  return 1_000 + 2 * (definitionText.length + words.length + comment.length);
}

/** By what an alarm is found when its source sends it, without putting a key together for each look. */
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
