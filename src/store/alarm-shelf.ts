// Alarms at hand: what the only writer of a database read or wrote last of them, so that it need not be read again.

import type { KeptAlarm } from './alarms.ts';

/** Some 60 MB of them; what was changed longest ago goes first. */
const mostAlarms = 25_000;

/** Holds what the rows say at this point of the transaction. Whoever changes the rows tells it, or empties it. */
export class AlarmShelf {
  readonly #byId = new Map<number, KeptAlarm>();
  readonly #byTag = new Map<string, KeptAlarm>();

  get(id: number): KeptAlarm | undefined {
    return this.#byId.get(id);
  }

  find(tag: string): KeptAlarm | undefined {
    return this.#byTag.get(tag);
  }

  put(alarm: KeptAlarm): void {
    this.remove(alarm.id);
    this.#byId.set(alarm.id, alarm);
    this.#byTag.set(tagKey(alarm.dataServerId, alarm.path), alarm);
    if (this.#byId.size > mostAlarms) this.remove(this.#byId.keys().next().value ?? 0);
  }

  remove(id: number): void {
    const alarm = this.#byId.get(id);
    if (alarm === undefined) return;
    this.#byId.delete(id);
    this.#byTag.delete(tagKey(alarm.dataServerId, alarm.path));
  }

  empty(): void {
    this.#byId.clear();
    this.#byTag.clear();
  }
}

/** What an alarm is found by when its source sends it. */
export function tagKey(dataServerId: number, path: string): string {
  return `${dataServerId} ${path}`;
}
