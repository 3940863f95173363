// What each kind of thing in the directory of calling brings to the changes they all share.

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

/** A change as a keeper sees it: `stationId` is the one it will belong to, undefined where it belongs to all. */
export type Change<K extends PeopleKind> = {
  readonly caller: Caller;
  readonly fields: PeopleFields[K];
  readonly stationId: number | undefined;
  /** What there was; undefined when it is new. */
  readonly before: Stored<PeopleEntries[K]> | undefined;
};

export type ResourceHooks<K extends PeopleKind> = {
  /** The texts it is found by. */
  readonly searchedBy: (fields: PeopleFields[K]) => readonly string[];
  /** Refuses what names something that is not there or not allowed, before anything is written. */
  readonly check: (tx: ReadTx, change: Change<K>) => Promise<void>;
  readonly insert: (tx: Tx, now: Instant, words: string, change: Change<K>) => Promise<number>;
  /** Writes all but name, words and time of change. */
  readonly update: (tx: Tx, now: Instant, id: number, change: Change<K>) => Promise<void>;
  /** Refuses what only this kind refuses; what refers to it is looked for by all. */
  readonly checkRemoval?: (tx: ReadTx, before: Stored<PeopleEntries[K]>) => Promise<void>;
};

export type Naming = { readonly field: string; readonly id: number | undefined };

/** A mistake for each that is not there for this caller. What was named before stays allowed: it may be another's. */
export async function missingAmong(
  tx: ReadTx,
  caller: Caller,
  kind: PeopleKind,
  named: readonly Naming[],
  before: readonly (number | undefined)[] = [],
): Promise<readonly FieldError[]> {
  const asked = named.flatMap(({ id }) => (id === undefined || before.includes(id) ? [] : [id]));
  const found = new Set(await visibleAmong(tx, kind, asked, caller));
  return named.flatMap(({ field, id }) =>
    id === undefined || found.has(id) || before.includes(id)
      ? []
      : [{ field, message: `names ${peopleKinds[kind].noun} ${id}, which does not exist` }],
  );
}

/** Each id of a list with the field that holds it. */
export function namings(field: string, ids: readonly number[]): readonly Naming[] {
  return ids.map((id, index) => ({ field: `${field}[${index}]`, id }));
}
