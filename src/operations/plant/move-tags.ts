// Moves the tags of a placeholder to a real data server; from then on the number of the placeholder means that one.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import type { PlantEntry } from '../../domain/plant/entities.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { hasPath, moveTo } from '../alarms/intake/moving-tags.ts';
import { raiseSystemAlarm, writeUnitOfWork } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { unprocessable } from '../people/refusals.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { addPendingMove, selectMovedTo } from './pending-move-rows.ts';
import { findEntry } from './queries.ts';

type Move = { readonly caller: Caller; readonly id: number; readonly dataServerId: number };

/** Returns how many tags are moved: some at once, the others in pieces that follow. */
export const moveTags: Operation<Move, number> = {
  name: 'move-tags',
  async run(tx, now, { caller, id, dataServerId }) {
    const from = await findEntry(tx, 'dataServer', id, caller);
    if (from === undefined) throw new AppError('not-found', `There is no data server ${id}.`);
    if (from.placeholder === undefined)
      throw new AppError('unprocessable', 'Only the tags of a placeholder can be moved.');
    const to = await findEntry(tx, 'dataServer', dataServerId, caller);
    if (to === undefined || to.isSystem || to.placeholder !== undefined)
      throw unprocessable('dataServerId', `names data server ${dataServerId}, to which tags cannot be moved`);
    const moved = await countTags(tx, id);
    await refuseSharedPaths(tx, { id, tags: moved }, to);
    await tx.run(updateMovedTo, { id, movedTo: to.id, now });
    if (await movePiece(tx, now, { from: id, to, actor: caller.actor }))
      await addPendingMove(tx, { dataServerId: id, movedTo: to.id, afterId: 0, actor: caller.actor });
    const data = { name: from.name, movedTo: to.id };
    const { stationId } = from;
    await appendEvent(tx, now, { kind: 'dataServer.changed', actor: caller.actor, stationId, subjectId: id, data });
    await appendAudit(tx, now, {
      kind: 'dataServer.changed',
      origin: caller,
      stationId,
      subject: `dataServer:${id}`,
      before: { name: from.name, movedTo: from.placeholder.movedTo },
      after: { name: from.name, movedTo: to.id, tags: moved },
    });
    return moved;
  },
};

/** A tag is known by its data server and path, so two with one path cannot come together; some may be on their way there. */
async function refuseSharedPaths(tx: Tx, from: { id: number; tags: number }, to: PlantEntry): Promise<void> {
  const onTheirWay = await tx.all(selectMovedTo, { movedTo: to.id });
  const others = new Set([to.id, ...onTheirWay.map(({ data_server_id }) => data_server_id)]);
  others.delete(from.id);
  for (const other of others) {
    const [fewer, more] = from.tags < (await countTags(tx, other)) ? [from.id, other] : [other, from.id];
    const shared = await tx.all(selectSharedPaths, { fewer, more });
    if (shared.length === 0) continue;
    const paths = shared.map(({ path }) => `"${path}"`).join(', ');
    throw new AppError('name-taken', `Data server ${to.id} has tags of the same path already: ${paths}.`);
  }
}

/** Moves a piece of the tags; returns whether there may be more. */
export async function movePiece(
  tx: Tx,
  now: Instant,
  { from, to, actor }: { readonly from: number; readonly to: PlantEntry; readonly actor: string },
): Promise<boolean> {
  const unit = beginUnitOfWork(tx, now);
  const found = await tx.all(selectMovable, { from, to: to.id });
  await unit.alarms.load(found.map(({ id }) => id));
  const place = { stationId: to.stationId, dataServerId: to.id, dataServerName: to.name };
  await moveTo(tx, unit.alarms, unit.alarms.all(), { place, now, by: { actor } });
  await writeUnitOfWork(tx, now, unit);
  if (found.length === mostMoved) return true;
  await tellStaying(tx, now, from, to);
  return false;
}

/** Raises an alarm about the tags that could not be moved. */
async function tellStaying(tx: Tx, now: Instant, from: number, to: PlantEntry): Promise<void> {
  const left = await countTags(tx, from);
  if (left === 0) return;
  const paths = (await tx.all(selectSharedPaths, { fewer: from, more: to.id })).map(({ path }) => path);
  await raiseSystemAlarm(tx, now, {
    path: `tags-not-moved/${from}`,
    stationId: to.stationId,
    message: {
      code: 'tags-not-moved',
      parameters: { count: left, from, to: to.id, toName: to.name, paths },
    },
    isRepeated: true,
  });
}

/** As many as are moved in less than 25 ms. */
const mostMoved = 75;

/** Those whose path the other data server does not have. */
const selectMovable = sqlStatement<{ from: number; to: number }, { id: number }>(
  (args, kind) => sql`select alarms.id from ${table('alarms')}
    where alarms.data_server_id = ${args.from} and not ${hasPath(args.to, kind)} limit ${sql.lit(mostMoved)}`,
);

const countAlarms = statement((db, args: { dataServerId: number }) =>
  db
    .selectFrom('alarms')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('data_server_id', '=', args.dataServerId),
);

/** Looks each tag of the data server with fewer of them up among those of the other. */
export const selectSharedPaths = sqlStatement<{ fewer: number; more: number }, { path: string }>(
  (args, kind) => sql`select alarms.path from ${table('alarms')}
    where alarms.data_server_id = ${args.fewer} and ${hasPath(args.more, kind)} limit 5`,
);

async function countTags(tx: Tx, dataServerId: number): Promise<number> {
  return (await tx.one(countAlarms, { dataServerId }))?.total ?? 0;
}

const updateMovedTo = statement<{ id: number; movedTo: number; now: number }>((db, args) =>
  db.updateTable('data_servers').set({ moved_to: args.movedTo, last_change: args.now }).where('id', '=', args.id),
);
