// The descriptions of alarms that events refer to: written when an alarm is shown under other texts, read with the events.

import { sql } from 'kysely';
import { type Description, descriptionIdIn, unpackEvent } from '../../domain/alarms/packed-event.ts';
import type { StoredEvent } from '../../store/event-log.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { isOneOfIds, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';

export type NewDescription = { readonly id: number; readonly description: Description; endedAt: Instant | undefined };

const rows = {
  insert: insertRows('alarm_descriptions', { id: 'int', data_server_id: 'int', content: 'text', ended_at: 'int' }),
  end: updateRows('alarm_descriptions', { id: 'int' }, { ended_at: 'int' }),
};

export async function writeDescriptions(
  tx: Tx,
  added: readonly NewDescription[],
  ended: readonly { readonly id: number; readonly at: Instant }[],
): Promise<void> {
  await tx.each(
    rows.insert,
    added.map(({ id, description, endedAt }) => ({
      id,
      data_server_id: description.dataServerId,
      content: contentOf(description),
      ended_at: endedAt ?? null,
    })),
  );
  await tx.each(
    rows.end,
    ended.map(({ id, at }) => ({ id, ended_at: at })),
  );
}

/** Only the texts that are shown, not the whole definition. */
function contentOf({ definition, ...others }: Description): string {
  const texts = (list: 'alarm' | 'reset' | 'ack') => {
    const { message, attachedFile } = definition[list];
    return { message, attachedFile };
  };
  const { names, systemText } = definition;
  const shown = { names, alarm: texts('alarm'), reset: texts('reset'), ack: texts('ack'), systemText };
  return JSON.stringify({ ...others, definition: shown });
}

/** Returns the events as they were before they were shortened. */
export async function withDescriptions(tx: ReadTx, events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
  const ids = new Set(events.flatMap(({ data }) => descriptionIdIn(data) ?? []));
  if (ids.size === 0) return events;
  const found = await tx.all(selectDescriptions, { ids: JSON.stringify([...ids]) });
  const known = new Map(found.map((row) => [row.id, row]));
  return events.map((event) => {
    const row = known.get(descriptionIdIn(event.data) ?? 0);
    if (row === undefined) return event;
    const description = JSON.parse(row.content) as Description;
    return { ...event, data: unpackEvent(event.data, event.at, description, row.name ?? '') };
  });
}

const selectDescriptions = sqlStatement<{ ids: string }, { id: number; content: string; name: string | null }>(
  (args, kind) => sql`select alarm_descriptions.id, content, data_servers.name from ${table('alarm_descriptions')}
    left join ${table('data_servers')} on data_servers.id = data_server_id
    where ${isOneOfIds('alarm_descriptions.id', args.ids, kind)}`,
);
