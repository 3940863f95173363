// Caches of rows in a store with a single writer: a subject defines one, the driver empties it when its rows may have
// changed.

import type { Compilable } from './statement.ts';

export type RowCache = { empty(): void };

export type CacheDefinition<C extends RowCache> = {
  /** The statements whose rows fill the cache. When another statement writes a table they read, it is emptied. */
  readonly filledBy: readonly Compilable[];
  /** The statements whose changes the cache's owner makes in the cache as well. */
  readonly writtenThrough: readonly Compilable[];
  readonly make: () => C;
};

type Entry = { readonly cache: RowCache; readonly writtenThrough: ReadonlySet<Compilable> };

const none: readonly Entry[] = [];

/** The caches of one connection, each made when it is first asked for. */
export class RowCaches {
  readonly #caches = new Map<CacheDefinition<RowCache>, RowCache>();
  readonly #byTable = new Map<string, readonly Entry[]>();

  of<C extends RowCache>(definition: CacheDefinition<C>): C {
    return (this.#caches.get(definition) ?? this.#make(definition)) as C;
  }

  #make(definition: CacheDefinition<RowCache>): RowCache {
    const cache = definition.make();
    const entry = { cache, writtenThrough: new Set(definition.writtenThrough) };
    this.#caches.set(definition, cache);
    for (const table of new Set(definition.filledBy.flatMap((statement) => statement.compiledFor('sqlite').reads)))
      this.#byTable.set(table, [...(this.#byTable.get(table) ?? none), entry]);
    return cache;
  }

  /** Empties the caches whose rows the statement may have changed. */
  noteWrite(statement: Compilable, tables: readonly string[]): void {
    for (const table of tables)
      for (const { cache, writtenThrough } of this.#byTable.get(table) ?? none)
        if (!writtenThrough.has(statement)) cache.empty();
  }

  /** Empties all, after a rollback or when another process has written. */
  empty(): void {
    for (const cache of this.#caches.values()) cache.empty();
  }
}
