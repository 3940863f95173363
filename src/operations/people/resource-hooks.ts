// The hooks by which each resource kind takes part in the shared create, replace and remove operations.

import type { Caller } from '../../domain/access/access.ts';
import {
  type PeopleEntries,
  type PeopleFields,
  type PeopleKind,
  peopleKinds,
  type Stored,
} from '../../domain/people/entities.ts';
import type { FieldError } from '../../errors.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import { visibleAmong } from './queries.ts';

/**
 * A change as passed to the hooks. `stationId` is the station the resource will belong to; undefined if it belongs to
 * all.
 */
export type Change<K extends PeopleKind> = {
  readonly caller: Caller;
  readonly fields: PeopleFields[K];
  readonly stationId: number | undefined;
  /** The stored resource; undefined for a new one. */
  readonly before: Stored<PeopleEntries[K]> | undefined;
};

export type ResourceHooks<K extends PeopleKind> = {
  /** Returns the texts that search looks in. */
  readonly searchedBy: (fields: PeopleFields[K]) => readonly string[];
  /** Throws if the change refers to something missing or not allowed; runs before anything is written. */
  readonly check: (tx: ReadTx, change: Change<K>) => Promise<void>;
  readonly insert: (tx: Tx, now: Instant, words: string, change: Change<K>) => Promise<number>;
  /** Writes all columns except name, words and last change. */
  readonly update: (tx: Tx, now: Instant, id: number, change: Change<K>) => Promise<void>;
  /** Throws for reasons specific to this kind; references are checked for all kinds. */
  readonly checkRemoval?: (tx: ReadTx, before: Stored<PeopleEntries[K]>, now: Instant) => Promise<void>;
};

export type FieldReference = { readonly field: string; readonly id: number | undefined };

/**
 * Returns an error for each reference the caller cannot see. References that existed before stay allowed, because
 * somebody else may have set them.
 */
export async function missingAmong(
  tx: ReadTx,
  caller: Caller,
  kind: PeopleKind,
  named: readonly FieldReference[],
  before: readonly (number | undefined)[] = [],
): Promise<readonly FieldError[]> {
  const added = named.flatMap(({ id }) => (id === undefined || before.includes(id) ? [] : [id]));
  const found = new Set(await visibleAmong(tx, kind, added, caller));
  return named.flatMap(({ field, id }) =>
    id === undefined || found.has(id) || before.includes(id)
      ? []
      : [{ field, message: `names ${peopleKinds[kind].noun} ${id}, which does not exist` }],
  );
}

/** Pairs each id of a list with its field path. */
export function fieldReferences(field: string, ids: readonly number[]): readonly FieldReference[] {
  return ids.map((id, index) => ({ field: `${field}[${index}]`, id }));
}
