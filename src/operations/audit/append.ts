// Appends entries to the audit trail in the transaction of the change that they describe.

import { hash } from 'node:crypto';
import type { Caller } from '../../domain/access/access.ts';
import { changedFields, entryText } from '../../domain/audit/entry.ts';
import type { AuditKind } from '../../domain/audit/kinds.ts';
import { insertRows } from '../../store/row-batch.ts';
import type { Instant, Tx } from '../../store/store.ts';

/** The actor and the address that an action came from. */
export type AuditOrigin = Pick<Caller, 'actor' | 'address'>;

/**
 * An entry to append. `before` and `after` never contain a secret or the hash of one. Without a station it concerns the
 * whole installation and is hidden from callers bound to stations.
 */
export type NewAuditEntry = {
  readonly kind: AuditKind;
  readonly origin: AuditOrigin;
  readonly stationId?: number | undefined;
  readonly subject?: string | undefined;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
};

export function appendAudit(tx: Tx, now: Instant, entry: NewAuditEntry): Promise<void> {
  return appendAudits(tx, [{ ...entry, at: now }]);
}

export async function appendAudits(
  tx: Tx,
  entries: readonly (NewAuditEntry & { readonly at: Instant })[],
): Promise<void> {
  if (entries.length === 0) return;
  const ids = await tx.nextIds('audit_entries', entries.length);
  await tx.each(
    insertEntries,
    entries.map((entry, index) => rowOf(ids[index] ?? 0, entry)),
  );
}

/** Collects the entries of a unit of work, which writes them together. */
export class AuditBatch {
  readonly #entries: (NewAuditEntry & { readonly at: Instant })[] = [];

  add(at: Instant, entry: NewAuditEntry): void {
    this.#entries.push({ ...entry, at });
  }

  write(tx: Tx): Promise<void> {
    return appendAudits(tx, this.#entries);
  }
}

/** Returns the changed fields of a resource, and its name also when that is not one of them. */
export function changeOf(
  before: { readonly name: string },
  after: { readonly name: string },
): Pick<NewAuditEntry, 'before' | 'after'> {
  const changed = changedFields({ ...before, lastChange: 0 }, { ...after, lastChange: 0 });
  return { before: { name: before.name, ...changed.before }, after: { name: after.name, ...changed.after } };
}

/** Returns the only station of a list; undefined if there are several or, meaning all, none. */
export function onlyStation(stationIds: readonly number[]): number | undefined {
  return stationIds.length === 1 ? stationIds[0] : undefined;
}

export function sha256(text: string): string {
  return hash('sha256', text);
}

function rowOf(id: number, entry: NewAuditEntry & { readonly at: Instant }) {
  const { at, kind, origin, stationId, subject } = entry;
  const { actor, address } = origin;
  const before = entry.before && JSON.stringify(entry.before);
  const after = entry.after && JSON.stringify(entry.after);
  return {
    id,
    at,
    kind,
    actor,
    address: address ?? null,
    station_id: stationId ?? null,
    subject: subject ?? null,
    before: before ?? null,
    after: after ?? null,
    hash: sha256(entryText({ id, at, kind, actor, address, stationId, subject, before, after })),
  };
}

const insertEntries = insertRows('audit_entries', {
  id: 'int',
  at: 'int',
  kind: 'text',
  actor: 'text',
  address: 'text',
  station_id: 'int',
  subject: 'text',
  before: 'text',
  after: 'text',
  hash: 'text',
});
