// Hides the ids of alarms of other stations in the journal: a group may be called for an alarm of another station.

import type { Caller } from '../../domain/access/access.ts';
import type { AuditRow } from '../../domain/audit/entry.ts';
import type { ReadTx } from '../../store/store.ts';
import { seenAlarms } from '../alarms/seen-alarms.ts';

const alarmFields = ['alarmId', 'alarmIds', 'taken'] as const;

type Said = Readonly<Record<string, unknown>>;

/** Returns the entries as a caller bound to stations may read them. Alarms that were removed are not seen. */
export async function withoutForeignAlarms(
  tx: ReadTx,
  entries: readonly AuditRow[],
  caller: Pick<Caller, 'stationIds'>,
): Promise<readonly AuditRow[]> {
  if (caller.stationIds.length === 0) return entries;
  const said = entries.map(({ after }) => (after === undefined ? {} : (JSON.parse(after) as Said)));
  const named = new Set(said.flatMap(alarmsIn));
  if (named.size === 0) return entries;
  const seen = await seenAlarms(tx, named, caller);
  return entries.map((entry, index) => {
    const fields = said[index] ?? {};
    const isWhole = alarmsIn(fields).every((id) => seen.has(id));
    return isWhole ? entry : { ...entry, after: JSON.stringify(withOnly(seen, fields)) };
  });
}

function alarmsIn(fields: Said): readonly number[] {
  return alarmFields.flatMap((name) => fields[name] ?? []).filter((id) => typeof id === 'number');
}

function withOnly(seen: ReadonlySet<number>, fields: Said): Said {
  const visible = (value: unknown): unknown =>
    Array.isArray(value) ? value.filter((id) => seen.has(id)) : seen.has(value as number) ? value : null;
  const found = alarmFields.filter((name) => fields[name] !== undefined);
  return { ...fields, ...Object.fromEntries(found.map((name) => [name, visible(fields[name])])) };
}
