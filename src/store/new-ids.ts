// Placeholders for the ids of rows that a unit of work has not written yet.

import type { Tx } from './store.ts';
import type { TableWithIds } from './tables.ts';

/**
 * A decision may refer to rows that do not exist yet, by negative placeholders: one space of them for all tables. The
 * unit of work assigns the ids when everything is decided, with one request per table.
 */
export class NewIds {
  readonly #tables: TableWithIds[] = [];
  readonly #ids: number[] = [];

  /** Returns the placeholder of a new row. */
  next(table: TableWithIds): number {
    return -this.#tables.push(table);
  }

  /** Assigns ids to the placeholders that have none, ascending within each table. */
  async assign(tx: Tx): Promise<void> {
    const places = new Map<TableWithIds, number[]>();
    for (let place = this.#ids.length; place < this.#tables.length; place++) {
      const table = this.#tables[place] as TableWithIds;
      const known = places.get(table);
      if (known === undefined) places.set(table, [place]);
      else known.push(place);
    }
    const assigned = await Promise.all(
      [...places].map(async ([table, list]) => [list, await tx.nextIds(table, list.length)] as const),
    );
    this.#ids.length = this.#tables.length;
    for (const [list, ids] of assigned) for (const [index, place] of list.entries()) this.#ids[place] = ids[index] ?? 0;
  }

  /** Returns the id that a placeholder stands for; an id of a stored row is returned unchanged. */
  idOf(id: number): number {
    if (id >= 0) return id;
    const assigned = this.#ids[-id - 1];
    if (assigned === undefined) throw new Error(`The new row ${id} has no id yet`);
    return assigned;
  }

  /** As idOf, for a reference that may be missing. */
  optionalIdOf(id: number | undefined): number | undefined {
    return id === undefined ? undefined : this.idOf(id);
  }
}
