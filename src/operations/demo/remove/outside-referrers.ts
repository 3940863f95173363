// Finds what refers to the demo plant and is no part of it: it would be broken by the removal.

import { type PeopleKind, peopleKinds } from '../../../domain/people/entities.ts';
import { type PlantKind, plantKinds } from '../../../domain/plant/entities.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { ReadTx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { namedReferrers } from '../../people/referrers.ts';
import { DemoEntries } from '../plant-rows.ts';
import type { DemoKind } from '../tables.ts';

const kinds = ['station', 'tagGroup', 'user', 'team', 'schedule', 'callGroup', 'scenario'] as const satisfies readonly (
  | PlantKind
  | PeopleKind
)[];

/** More than refer to anything inside the plant. */
const mostRead = 500;
/** As many as a sentence can name. */
const mostNamed = 8;

const kindOfNoun: ReadonlyMap<string, DemoKind> = new Map([
  ['alarm', 'alarm'],
  ...kinds.map((kind) => [{ ...plantKinds, ...peopleKinds }[kind].noun, kind] as const),
]);

/** Returns the referrers, such as `team 4 "Fitters"`. */
export async function outsideReferrers(tx: ReadTx): Promise<readonly string[]> {
  const entries = await DemoEntries.load(tx);
  const isOwn = await ownIds(tx, entries);
  const found = new Set<string>();
  for (const kind of kinds)
    for (const id of entries.ids(kind))
      for (const { noun, id: referrer, name } of await namedReferrers(tx, kind, id, mostRead))
        if (!isOwn(noun, referrer)) found.add(`${noun} ${referrer} "${name}"`);
  const { lastResortGroupId = 0 } = (await readCallConfiguration(tx)).policy;
  if (entries.ids('callGroup').includes(lastResortGroupId)) found.add('the last resort of the call policy');
  return [...found].slice(0, mostNamed);
}

/** The alarms of Tocsin itself about the stations of the plant go with them. */
async function ownIds(tx: ReadTx, entries: DemoEntries): Promise<(noun: string, id: number) => boolean> {
  const system = await tx.all(selectSystemAlarms, { stationIds: JSON.stringify(entries.ids('station')) });
  const alarmIds = new Set([...entries.ids('alarm'), ...system.map(({ id }) => id)]);
  const ids = new Map(kinds.map((kind) => [kind as DemoKind, new Set(entries.ids(kind))])).set('alarm', alarmIds);
  return (noun, id) => {
    const kind = kindOfNoun.get(noun);
    return kind !== undefined && (ids.get(kind)?.has(id) ?? false);
  };
}

const selectSystemAlarms = statement((db, args: { stationIds: string }, kind) =>
  db
    .selectFrom('alarms')
    .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
    .select('alarms.id')
    .where(isOneOfIds('alarms.station_id', args.stationIds, kind))
    .where('is_system', '=', 1),
);
