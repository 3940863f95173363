// Writes scenarios, and says which of them a caller may attach.

import type { Caller } from '../../domain/access/access.ts';
import { neededFor } from '../../domain/access/effects.ts';
import type { PeopleFields } from '../../domain/people/entities.ts';
import { isCommand, permittedList } from '../../domain/script.ts';
import type { FieldError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { referrersOf } from './referrers.ts';
import { refuseFields, unprocessable } from './refusals.ts';
import { type Change, type FieldReference, missingAmong, type ResourceHooks } from './resource-hooks.ts';
import { actionsOf, actionsText, loadScenarios } from './scenario-rows.ts';

export const scenarioHooks: ResourceHooks<'scenario'> = {
  searchedBy: ({ name }) => [name],
  async check(tx, change) {
    const { caller, fields, before } = change;
    const former = before === undefined ? [] : targets(before, 'CallGroup').map(({ id }) => id);
    refuseFields([
      ...(await missingAmong(tx, caller, 'callGroup', targets(fields, 'CallGroup'), former)),
      ...(await missingAmong(tx, caller, 'user', targets(fields, 'CallUser'))),
      ...forbiddenCommands(change),
    ]);
    await refuseNarrowing(tx, change);
  },
  insert: (tx, now, words, change) => {
    const { fields, stationId = null } = change;
    return tx.insert(insertScenario, { name: fields.name, words, stationId, actions: permittedText(change), now });
  },
  async update(tx, _now, id, change) {
    await tx.run(updateScenario, { id, stationId: change.stationId ?? null, actions: permittedText(change) });
  },
};

/**
 * Refuses to bind an attached scenario to one station, because the objects that have it may belong to other stations.
 */
async function refuseNarrowing(tx: ReadTx, { caller, stationId, before }: Change<'scenario'>): Promise<void> {
  if (before === undefined || stationId === undefined || stationId === before.stationId) return;
  const referrers = await referrersOf(tx, 'scenario', before.id, caller);
  if (referrers.length > 0) {
    throw unprocessable('stationId', `cannot be changed while the scenario is attached to ${referrers.join(', ')}`);
  }
}

const lists = ['alarmActions', 'resetActions', 'ackActions'] as const;

/** Returns a list as the caller is permitted to write it. */
function permittedIn({ caller, fields, before }: Change<'scenario'>, list: (typeof lists)[number]) {
  return permittedList(fields[list], caller.mayRunCommands === true, before?.[list] ?? []);
}

function permittedText(change: Change<'scenario'>): string {
  const [alarmActions, resetActions, ackActions] = lists.map((list) => permittedIn(change, list));
  return actionsText({
    alarmActions: alarmActions ?? [],
    resetActions: resetActions ?? [],
    ackActions: ackActions ?? [],
  });
}

/** Returns an error for each command that would never run; commands that were there before may stay. */
function forbiddenCommands(change: Change<'scenario'>) {
  return lists.flatMap((list) => {
    const actions = permittedIn(change, list);
    if (actions === change.before?.[list]) return [];
    return actions.flatMap((action, index) =>
      isCommand(action) && action.allowed !== true
        ? [{ field: `${list}[${index}].type`, message: `needs ${neededFor('run a script')}` }]
        : [],
    );
  });
}

/**
 * Returns an error for each scenario with a command that the caller attaches without the scope: attaching it makes its script
 * run for alarms that whoever wrote it did not think of. Those attached before may stay.
 */
export async function forbiddenScenarios(
  tx: ReadTx,
  caller: Caller,
  named: readonly FieldReference[],
  before: readonly number[],
): Promise<readonly FieldError[]> {
  if (caller.mayRunCommands === true) return [];
  const added = named.filter(({ id }) => id !== undefined && !before.includes(id));
  const scenarios = await loadScenarios(
    tx,
    added.flatMap(({ id }) => id ?? []),
  );
  const running = scenarios.filter((scenario) => actionsOf(scenario).some(({ action }) => isCommand(action)));
  return added
    .filter(({ id }) => running.some((scenario) => scenario.id === id))
    .map(({ field, id }) => ({
      field,
      message: `names scenario ${id}, which runs scripts, and needs ${neededFor('run a script')}`,
    }));
}

type Actions = Pick<PeopleFields['scenario'], 'alarmActions' | 'resetActions' | 'ackActions'>;

/**
 * Returns the targets of the calls of one type. Unlike an alarm, which is stored even with missing targets, a scenario
 * is refused, because the person editing it can correct it.
 */
function targets(scenario: Actions, type: 'CallGroup' | 'CallUser') {
  return actionsOf(scenario)
    .filter(({ action }) => action.type === type)
    .map(({ field, action }) => ({ field: `${field}.id`, id: action.id }));
}

const insertScenario = statement<
  { name: string; words: string; stationId: number | null; actions: string; now: number },
  { id: number }
>((db, args) =>
  db
    .insertInto('scenarios')
    .values({
      name: args.name,
      words: args.words,
      station_id: args.stationId,
      actions: args.actions,
      last_change: args.now,
    })
    .returning('id'),
);

const updateScenario = statement<{ id: number; stationId: number | null; actions: string }>((db, args) =>
  db.updateTable('scenarios').set({ station_id: args.stationId, actions: args.actions }).where('id', '=', args.id),
);
