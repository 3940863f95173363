// Makes the placeholder of a data server that a caller named and does not have, so that two sources never share a tag.

import type { Caller } from '../../../domain/access/access.ts';
import { placeholderName } from '../../../domain/plant/entities.ts';
import { searchableText } from '../../../domain/search.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { appendAudit } from '../../audit/append.ts';

type NewPlaceholder = { readonly caller: Caller; readonly number: number; readonly stationId: number };

/** Returns the id and the name of the new data server. */
export async function insertPlaceholder(
  tx: Tx,
  now: Instant,
  { caller, number, stationId }: NewPlaceholder,
): Promise<{ readonly id: number; readonly name: string }> {
  const { actor } = caller;
  const name = await freeName(tx, placeholderName({ actor, number }), stationId);
  const id = await tx.insert(insertServer, { name, words: searchableText(name), stationId, actor, number, now });
  await appendEvent(tx, now, { kind: 'dataServer.created', actor, stationId, subjectId: id, data: { name } });
  await appendAudit(tx, now, {
    kind: 'dataServer.created',
    origin: caller,
    stationId,
    subject: `dataServer:${id}`,
    after: { name, stationId, placeholder: { actor, number } },
  });
  return { id, name };
}

/** Returns how many data servers the caller has a placeholder for; those whose tags were moved do not count. */
export async function countPlaceholders(tx: ReadTx, actor: string): Promise<number> {
  return (await tx.one(selectCount, { actor }))?.count ?? 0;
}

/** A person may have given a data server this very name. */
async function freeName(tx: ReadTx, wanted: string, stationId: number): Promise<string> {
  let name = wanted;
  for (let n = 2; (await tx.one(selectName, { name, stationId })) !== undefined; n++) name = `${wanted} #${n}`;
  return name;
}

const selectName = statement((db, args: { name: string; stationId: number }) =>
  db.selectFrom('data_servers').select('id').where('name', '=', args.name).where('station_id', '=', args.stationId),
);

const selectCount = statement((db, args: { actor: string }) =>
  db
    .selectFrom('data_servers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('placeholder_actor', '=', args.actor)
    .where('moved_to', 'is', null),
);

type ServerArgs = { name: string; words: string; stationId: number; actor: string; number: number; now: number };

const insertServer = statement<ServerArgs, { id: number }>((db, args) =>
  db
    .insertInto('data_servers')
    .values({
      name: args.name,
      words: args.words,
      station_id: args.stationId,
      built_in: 0,
      is_system: 0,
      placeholder_actor: args.actor,
      placeholder_number: args.number,
      moved_to: null,
      last_change: args.now,
    })
    .returning('id'),
);
