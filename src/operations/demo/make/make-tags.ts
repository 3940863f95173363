// Makes the tags of the demo plant, at rest, as reports of a source would.

import { systemCaller } from '../../../domain/access/access.ts';
import { demoTags } from '../../../domain/demo/plant.ts';
import type { DemoTag } from '../../../domain/demo/tag.ts';
import { dayMs } from '../../../domain/on-call/civil-time.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { reportAlarm } from '../../alarms/intake/report.ts';
import { addEntries, DemoEntries, type DemoRow } from '../plant-rows.ts';

/** The tags are older than their history. */
const ageMs = 100 * dayMs;

export async function makeTags(tx: Tx, _now: Instant, { madeAt }: DemoRow): Promise<'done'> {
  const entries = await DemoEntries.load(tx);
  const servers = await tx.all(selectServers, { stationIds: JSON.stringify(entries.ids('station')) });
  const serverOf = new Map(servers.map(({ id, station_id }) => [station_id, id]));
  const jobs = demoTags.map((tag) => {
    const stationId = entries.id('station', tag.station);
    const place = {
      stationId,
      dataServerId: serverOf.get(stationId),
      tagGroupId: entries.id('tagGroup', tag.tagGroup),
    };
    return { now: madeAt - ageMs, input: { caller: systemCaller, ...place, ...reportOf(tag) } };
  });
  const results = await reportAlarm.runAll(tx, jobs);
  const made = results.map((result, index) => {
    if (result.kind === 'failed') throw result.error;
    return [demoTags[index]?.path ?? '', result.outcome.id] as const;
  });
  await addEntries(tx, 'alarm', made);
  return 'done';
}

function reportOf(tag: DemoTag) {
  const { path, message, priority, condition, value, normalValue, consequence, instructions } = tag;
  // A value without a unit says no more than the message.
  const format = value.includes(' ') ? '{station}: {message}, {value}' : '{station}: {message}';
  return {
    path,
    priority,
    value: normalValue,
    raised: false,
    change: { condition: { value: condition }, consequence, instructions, alarm: { message, format } },
  };
}

/** The data servers of alarms that name none. */
const selectServers = statement((db, args: { stationIds: string }, kind) =>
  db
    .selectFrom('data_servers')
    .select(['id', 'station_id'])
    .where(isOneOfIds('station_id', args.stationIds, kind))
    .where('built_in', '=', 1)
    .where('is_system', '=', 0),
);
