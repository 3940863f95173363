// Write-through cache of alarm records for a store with a single writer, which saves reading the same alarms again.

import type { CacheDefinition } from '../../store/row-cache.ts';
import { recordStatements } from './queries.ts';
import type { AlarmRecord } from './record.ts';
import { alarmRows } from './rows.ts';

/**
 * Enough for about 15,000 alarms, fewer with long texts. A limit one third higher used 105 MB more with 100,000 alarms.
 */
const maxBytes = 24 * 2 ** 20;

type CacheEntry = {
  alarm: AlarmRecord;
  bytes: number;
  /** A definition change, as the source sent it, that is known to change nothing. */
  knownNoOp: string | undefined;
};

/** Equals the rows as this transaction sees them: the unit of work puts in what it writes. */
export class AlarmCache {
  readonly #byId = new Map<number, CacheEntry>();
  readonly #byTag = new TagMap<CacheEntry>();
  #bytes = 0;
  /** Misses minus hits since the cache became full. */
  #missed = 0;

  get(id: number): AlarmRecord | undefined {
    return this.#found(this.#byId.get(id));
  }

  find(dataServerId: number, path: string): AlarmRecord | undefined {
    return this.#found(this.#byTag.get(dataServerId, path));
  }

  #found(entry: CacheEntry | undefined): AlarmRecord | undefined {
    if (entry !== undefined && this.#missed > 0) this.#missed--;
    return entry?.alarm;
  }

  /**
   * When the cache is full, rejects the new alarm instead of evicting an old one: sources mostly report in turn, so an
   * evicted alarm would be the next one needed. When misses exceed the number of entries, the whole cache is emptied.
   */
  put(alarm: AlarmRecord): void {
    const entry = this.#byId.get(alarm.id);
    const hasNewDefinition = entry?.alarm.definition !== alarm.definition;
    const knownNoOp = hasNewDefinition ? undefined : entry?.knownNoOp;
    const bytes = hasNewDefinition ? bytesOf(alarm) : entry.bytes + bytesOfWords(alarm) - bytesOfWords(entry.alarm);
    if (this.#bytes + bytes - (entry?.bytes ?? 0) > maxBytes) {
      this.remove(alarm.id);
      if (++this.#missed > this.#byId.size) this.empty();
    } else if (entry === undefined) {
      this.#add({ alarm, bytes, knownNoOp });
    } else {
      this.#bytes += bytes - entry.bytes;
      Object.assign(entry, { alarm, bytes, knownNoOp });
    }
  }

  #add(entry: CacheEntry): void {
    this.#bytes += entry.bytes;
    this.#byId.set(entry.alarm.id, entry);
    this.#byTag.set(entry.alarm.dataServerId, entry.alarm.path, entry);
  }

  /** Whether this change, as the source sent it, is known to change nothing of the alarm. */
  isKnownNoOp({ id, definition }: AlarmRecord, change: string): boolean {
    const entry = this.#byId.get(id);
    return entry?.knownNoOp === change && entry.alarm.definition === definition;
  }

  /** Remembers that this change, as the source sent it, changes nothing of the alarm. */
  rememberNoOp({ id, definition }: AlarmRecord, change: string): void {
    const entry = this.#byId.get(id);
    if (entry?.alarm.definition !== definition) return;
    const more = change.length - (entry.knownNoOp?.length ?? 0);
    if (this.#bytes + more > maxBytes) return;
    this.#bytes += more;
    entry.bytes += more;
    entry.knownNoOp = change;
  }

  remove(id: number): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#byId.delete(id);
    this.#byTag.delete(entry.alarm.dataServerId, entry.alarm.path);
  }

  empty(): void {
    this.#bytes = 0;
    this.#missed = 0;
    this.#byId.clear();
    this.#byTag.clear();
  }
}

/** Estimates the memory one alarm takes. */
function bytesOf(alarm: AlarmRecord): number {
  return 1_000 + JSON.stringify(alarm.definition).length + bytesOfWords(alarm);
}

function bytesOfWords({ words, comment }: AlarmRecord): number {
  return words.length + comment.length;
}

export const alarmCache: CacheDefinition<AlarmCache> = {
  filledBy: recordStatements,
  writtenThrough: Object.values(alarmRows),
  make: () => new AlarmCache(),
};

/** Map keyed by data server and path, without building a combined key for each lookup. */
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
