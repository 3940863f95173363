// Alarms at hand: what the only writer of a database read or wrote last of them, so that it need not be read again.

import type { AlarmRecord } from './stored-alarm.ts';

/** Enough for some 15,000 alarms; long texts leave room for fewer. With a third more, 100,000 alarms took 105 MB more. */
const mostBytes = 24 * 2 ** 20;

type Kept = {
  alarm: AlarmRecord;
  bytes: number;
  /** A change of its definition, as it was sent, that changes nothing of the one it has. */
  knownNoOp: string | undefined;
};

/** Holds what the rows say at this point of the transaction. Whoever changes the rows tells it, or empties it. */
export class AlarmCache {
  readonly #byId = new Map<number, Kept>();
  readonly #byTag = new TagMap<Kept>();
  #bytes = 0;
  /** How many more alarms were turned away than found since there is no room. */
  #missed = 0;

  get(id: number): AlarmRecord | undefined {
    return this.#found(this.#byId.get(id));
  }

  find(dataServerId: number, path: string): AlarmRecord | undefined {
    return this.#found(this.#byTag.get(dataServerId, path));
  }

  #found(kept: Kept | undefined): AlarmRecord | undefined {
    if (kept !== undefined && this.#missed > 0) this.#missed--;
    return kept?.alarm;
  }

  /**
   * Without room a new one is turned away, for sources mostly send in turn: whatever made room would be needed next. When
   * those that are here are of no use any more, all of them go.
   */
  put(alarm: AlarmRecord): void {
    const kept = this.#byId.get(alarm.id);
    const isDefinedAnew = kept?.alarm.definition !== alarm.definition;
    const knownNoOp = isDefinedAnew ? undefined : kept?.knownNoOp;
    const bytes = isDefinedAnew ? bytesOf(alarm) : kept.bytes + bytesOfWords(alarm) - bytesOfWords(kept.alarm);
    if (this.#bytes + bytes - (kept?.bytes ?? 0) > mostBytes) {
      this.remove(alarm.id);
      if (++this.#missed > this.#byId.size) this.empty();
    } else if (kept === undefined) {
      this.#add({ alarm, bytes, knownNoOp });
    } else {
      this.#bytes += bytes - kept.bytes;
      Object.assign(kept, { alarm, bytes, knownNoOp });
    }
  }

  #add(kept: Kept): void {
    this.#bytes += kept.bytes;
    this.#byId.set(kept.alarm.id, kept);
    this.#byTag.set(kept.alarm.dataServerId, kept.alarm.path, kept);
  }

  /** Whether this change, as it was sent, is known to change nothing of the alarm. */
  isKnownNoOp({ id, definition }: AlarmRecord, change: string): boolean {
    const kept = this.#byId.get(id);
    return kept?.knownNoOp === change && kept.alarm.definition === definition;
  }

  /** A change that was sent has turned out to change nothing of the alarm. */
  rememberNoOp({ id, definition }: AlarmRecord, change: string): void {
    const kept = this.#byId.get(id);
    if (kept?.alarm.definition !== definition) return;
    const more = change.length - (kept.knownNoOp?.length ?? 0);
    if (this.#bytes + more > mostBytes) return;
    this.#bytes += more;
    kept.bytes += more;
    kept.knownNoOp = change;
  }

  remove(id: number): void {
    const kept = this.#byId.get(id);
    if (kept === undefined) return;
    this.#bytes -= kept.bytes;
    this.#byId.delete(id);
    this.#byTag.delete(kept.alarm.dataServerId, kept.alarm.path);
  }

  empty(): void {
    this.#bytes = 0;
    this.#missed = 0;
    this.#byId.clear();
    this.#byTag.clear();
  }
}

/** About what it takes. */
function bytesOf(alarm: AlarmRecord): number {
  return 1_000 + JSON.stringify(alarm.definition).length + bytesOfWords(alarm);
}

function bytesOfWords({ words, comment }: AlarmRecord): number {
  return words.length + comment.length;
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
