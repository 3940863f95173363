// Loads scenarios from the store, and their attachments to stations, tag groups and alarms.

import { sql } from 'kysely';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import type { ScenarioIndex } from '../../domain/alarms/scenario-actions.ts';
import type { Scenario } from '../../domain/people/call-group.ts';
import type { Stored } from '../../domain/people/entities.ts';
import { type DatabaseKind, idsIn, sqlStatement, statement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { ReadTx, Tx } from '../../store/store.ts';
import { type Ids, idsArgument, isAmong, type NamedRow } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** `actions` is a JSON object of the three lists; a null station means every station. */
    scenarios: NamedRow & { station_id: number | null; actions: string };
    scenario_stations: { station_id: number; scenario_id: number };
    scenario_tag_groups: { tag_group_id: number; scenario_id: number };
    scenario_alarms: { alarm_id: number; scenario_id: number };
  }
}

const selectScenarios = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('scenarios')
    .select(['id', 'name', 'station_id', 'actions', 'last_change'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

type Actions = Pick<Scenario, 'alarmActions' | 'resetActions' | 'ackActions'>;

export function actionsText({ alarmActions, resetActions, ackActions }: Actions): string {
  return JSON.stringify({ alarmActions, resetActions, ackActions });
}

/** Returns the scenarios in order of id. */
export async function loadScenarios(tx: ReadTx, which: Ids): Promise<readonly Stored<Scenario>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  return (await tx.all(selectScenarios, args)).map(({ id, name, station_id, actions, last_change }) => ({
    id,
    name,
    stationId: station_id ?? undefined,
    ...(JSON.parse(actions) as Actions),
    lastChange: last_change,
  }));
}

/** Returns every action of a scenario with its field path. */
export function actionsOf(scenario: Actions): readonly { readonly field: string; readonly action: AlarmAction }[] {
  return (['alarmActions', 'resetActions', 'ackActions'] as const).flatMap((list) =>
    scenario[list].map((action, index) => ({ field: `${list}[${index}]`, action })),
  );
}

/** Returns the ids of scenarios with an action that calls one of the groups. */
export async function scenariosThatCall(tx: ReadTx, callGroupIds: readonly number[]): Promise<readonly number[]> {
  const calls = ({ action: { type, id } }: { action: AlarmAction }): boolean =>
    type === 'CallGroup' && callGroupIds.includes(id);
  return (await loadScenarios(tx, 'all')).filter((scenario) => actionsOf(scenario).some(calls)).map(({ id }) => id);
}

/** The link table and column for each kind of object that scenarios are attached to. */
const attachments = {
  station: { table: 'scenario_stations', column: 'station_id' },
  tagGroup: { table: 'scenario_tag_groups', column: 'tag_group_id' },
  alarm: { table: 'scenario_alarms', column: 'alarm_id' },
} as const;

type ScenarioOwner = keyof typeof attachments;

function attachmentStatements({ table: link, column }: (typeof attachments)[ScenarioOwner]) {
  const owner = sql.ref(column);
  return {
    select: sqlStatement<{ ids: string }, { owner_id: number; scenario_id: number }>(
      (args, kind: DatabaseKind) =>
        sql`select ${owner} as owner_id, scenario_id from ${table(link)} where ${owner} in ${idsIn(args.ids, kind)}
          order by ${owner}, scenario_id`,
    ),
    remove: sqlStatement<{ id: number }>((args) => sql`delete from ${target(link)} where ${owner} = ${args.id}`),
    insert: sqlStatement<{ id: number; scenarioId: number }>(
      (args) => sql`insert into ${target(link)} (${owner}, scenario_id) values (${args.id}, ${args.scenarioId})`,
    ),
  };
}

const statements = {
  station: attachmentStatements(attachments.station),
  tagGroup: attachmentStatements(attachments.tagGroup),
  alarm: attachmentStatements(attachments.alarm),
};

const selectAttachments = sqlStatement<Record<string, never>, { owner: string; owner_id: number; scenario_id: number }>(
  () => sql`select 'station' as owner, station_id as owner_id, scenario_id from ${table('scenario_stations')}
    union all select 'tagGroup', tag_group_id, scenario_id from ${table('scenario_tag_groups')}
    union all select 'alarm', alarm_id, scenario_id from ${table('scenario_alarms')} order by owner, owner_id, scenario_id`,
);

/** Loads all attached scenarios, indexed by the object they are attached to. */
export async function loadScenarioIndex(tx: ReadTx): Promise<ScenarioIndex> {
  const scenarios = new Map((await loadScenarios(tx, 'all')).map((scenario) => [scenario.id, scenario]));
  const rows = scenarios.size === 0 ? [] : await tx.all(selectAttachments, {});
  const ofOwner = (owner: string): ReadonlyMap<number, readonly Scenario[]> => {
    const byId = Map.groupBy(
      rows.filter((row) => row.owner === owner),
      (row) => Number(row.owner_id),
    );
    return new Map([...byId].map(([id, those]) => [id, those.flatMap((row) => scenarios.get(row.scenario_id) ?? [])]));
  };
  return { ofStation: ofOwner('station'), ofTagGroup: ofOwner('tagGroup'), ofAlarm: ofOwner('alarm') };
}

/** Returns the ids of the attached scenarios by the id of the object. */
export async function attachedScenarios(
  tx: ReadTx,
  kind: ScenarioOwner,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.all(statements[kind].select, { ids: JSON.stringify(ids) });
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id);
  return new Map([...byOwner].map(([id, found]) => [id, found.map(({ scenario_id }) => scenario_id)]));
}

/** Replaces the attached scenarios by the given ones. */
export async function attachScenarios(
  tx: Tx,
  kind: ScenarioOwner,
  id: number,
  scenarioIds: readonly number[],
): Promise<void> {
  await tx.run(statements[kind].remove, { id });
  for (const scenarioId of new Set(scenarioIds)) await tx.run(statements[kind].insert, { id, scenarioId });
}
