// An alarm comes in: the tag is found or made, its definition changed, and its life goes on from what is reported.

import { type Caller, seesStation } from '../domain/access.ts';
import { newLife } from '../domain/alarm.ts';
import {
  type AlarmDefinition,
  changedDefinition,
  type DefinitionChange,
  emptyDefinition,
  rulesOf,
} from '../domain/alarm-definition.ts';
import { advance } from '../domain/alarm-transition.ts';
import { meets } from '../domain/condition.ts';
import { defaultStationId } from '../domain/directory.ts';
import { AppError } from '../errors.ts';
import { findAlarmByPath, type StoredAlarm } from '../store/alarms.ts';
import { directoryStatements } from '../store/directory.ts';
import { sameText, statement } from '../store/statement.ts';
import type { Instant, Operation, Tx } from '../store/store.ts';
import { alarmWords, applyTransitions, withLastChange } from './alarm-changes.ts';
import { earlierAnswer, type RequestOnce, rememberAnswer } from './request-once.ts';

export type AlarmReport = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
  readonly path: string | undefined;
  readonly priority: number | undefined;
  readonly value: string | undefined;
  readonly raised: boolean | undefined;
  readonly change: DefinitionChange;
  /** Makes a repeated request safe: the same key and body get the same answer. */
  readonly once?: RequestOnce | undefined;
};

const defaultPriority = 3;

/** Answers the alarm's id. */
export const reportAlarm: Operation<AlarmReport, number> = {
  name: 'report-alarm',
  async run(tx, now, report) {
    const earlier = report.once && (await earlierAnswer(tx, report.caller.actor, report.once));
    if (earlier !== undefined) return earlier;
    const place = await placeOf(tx, report);
    const known = report.path === undefined ? undefined : await findAlarmByPath(tx, place.dataServerId, report.path);
    const alarm =
      known === undefined ? await insertAlarm(tx, now, report, place) : await redefine(tx, now, known, report);
    const { due, outcome } = advance(alarm.life, { kind: 'report', isRaised: isRaised(report, alarm) }, now);
    if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
    await applyTransitions(tx, alarm, [...due, outcome], { now, actor: report.caller.actor });
    if (report.once !== undefined) await rememberAnswer(tx, now, report.caller.actor, report.once, alarm.id);
    return alarm.id;
  },
};

/** An explicit word wins; else a value decides by the condition; else an alarm that is sent is raised. */
function isRaised({ raised, value }: AlarmReport, { definition }: StoredAlarm): boolean {
  if (raised !== undefined) return raised;
  const condition = definition.condition.value;
  return value === undefined || condition === '' || meets(condition, value);
}

type PlaceAsked = Pick<AlarmReport, 'caller' | 'stationId' | 'dataServerId' | 'tagGroupId'>;
type Redefinition = Pick<AlarmReport, 'change' | 'value' | 'priority' | 'tagGroupId'>;

type Place = { readonly stationId: number; readonly dataServerId: number; readonly dataServerName: string };

/** Where the alarm belongs: what is given must exist and be the caller's; what is not given has a default. */
export async function placeOf(tx: Tx, { caller, stationId, dataServerId, tagGroupId }: PlaceAsked): Promise<Place> {
  const place =
    dataServerId === undefined
      ? await builtInPlace(tx, caller, stationId ?? caller.stationIds[0] ?? defaultStationId)
      : await serverPlace(tx, caller, dataServerId, stationId);
  if (tagGroupId !== undefined) {
    const group = await tx.one(directoryStatements.tagGroup.byId, { id: tagGroupId });
    if (group === undefined || !seesStation(caller, group.station_id))
      throw unknown('tagGroupId', `tag group ${tagGroupId}`);
  }
  return place;
}

async function builtInPlace(tx: Tx, caller: Caller, stationId: number): Promise<Place> {
  const server = seesStation(caller, stationId) ? await tx.one(selectBuiltIn, { stationId }) : undefined;
  if (server === undefined) throw unknown('stationId', `station ${stationId}`);
  return { stationId, dataServerId: server.id, dataServerName: server.name };
}

async function serverPlace(tx: Tx, caller: Caller, id: number, stationId: number | undefined): Promise<Place> {
  const server = await tx.one(directoryStatements.dataServer.byId, { id });
  if (server === undefined || !seesStation(caller, server.station_id))
    throw unknown('dataServerId', `data server ${id}`);
  if (stationId !== undefined && stationId !== server.station_id) {
    const message = `names a data server of station ${server.station_id}, not of station ${stationId}`;
    throw new AppError('unprocessable', `dataServerId ${message}.`, { errors: [{ field: 'dataServerId', message }] });
  }
  return { stationId: server.station_id, dataServerId: id, dataServerName: server.name };
}

function unknown(field: string, what: string): AppError {
  const message = `names ${what}, which does not exist`;
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

async function insertAlarm(tx: Tx, now: Instant, report: AlarmReport, place: Place): Promise<StoredAlarm> {
  const definition = changedDefinition(emptyDefinition, report.change);
  const draft: StoredAlarm = {
    id: 0,
    ...place,
    tagGroupId: report.tagGroupId,
    path: report.path ?? '',
    name: (report.path && (await freeName(tx, report.path, place.dataServerName))) || '',
    priority: report.priority ?? defaultPriority,
    value: report.value ?? '',
    definition,
    life: newLife(rulesOf(definition), now),
    createdAt: now,
    ackTime: undefined,
    ackUser: '',
    ackUserId: undefined,
    resetTime: undefined,
    comment: '',
    occurrenceId: undefined,
    occurrences: 0,
  };
  const { id: _, ...row } = definitionRow(draft, now);
  const id = await tx.insert(insertRow, { ...row, stationId: place.stationId, dataServerId: place.dataServerId });
  const alarm = draft.name === '' ? await nameById(tx, now, { ...draft, id }) : { ...draft, id };
  await replaceActions(tx, id, definition);
  return alarm;
}

/** The path when free, else with the data server's name before it; undefined when both are taken. */
async function freeName(tx: Tx, path: string, dataServerName: string): Promise<string | undefined> {
  if (!(await isTaken(tx, path))) return path;
  const fullPath = `${dataServerName}\\${path}`;
  return (await isTaken(tx, fullPath)) ? undefined : fullPath;
}

/** Path and name of an alarm that needs its id in them. Somebody may use those already, and the alarm still comes in. */
async function nameById(tx: Tx, now: Instant, draft: StoredAlarm): Promise<StoredAlarm> {
  const { id, dataServerId, dataServerName } = draft;
  let path = draft.path || `alarm/${id}`;
  for (let n = 2; draft.path === '' && (await findAlarmByPath(tx, dataServerId, path)) !== undefined; n++) {
    path = `alarm/${id}-${n}`;
  }
  const numbered = `${dataServerName}\\${path} #${id}`;
  let name = (await freeName(tx, path, dataServerName)) ?? numbered;
  for (let n = 2; await isTaken(tx, name); n++) name = `${numbered}-${n}`;
  const alarm = { ...draft, path, name };
  await tx.run(updateDefinition, definitionRow(alarm, now));
  return alarm;
}

async function isTaken(tx: Tx, name: string): Promise<boolean> {
  return (await tx.one(selectByName, { name })) !== undefined;
}

/** What a report changes of a definition that is there. */
export async function redefine(tx: Tx, now: Instant, known: StoredAlarm, report: Redefinition): Promise<StoredAlarm> {
  const definition = changedDefinition(known.definition, report.change);
  const alarm: StoredAlarm = {
    ...known,
    definition,
    value: report.value ?? known.value,
    priority: report.priority ?? known.priority,
    tagGroupId: report.tagGroupId ?? known.tagGroupId,
    life: { ...known.life, rules: rulesOf(definition) },
  };
  const isSame =
    JSON.stringify(definition) === JSON.stringify(known.definition) &&
    alarm.priority === known.priority &&
    alarm.tagGroupId === known.tagGroupId;
  if (isSame && alarm.value === known.value) return alarm;
  const changed = { ...alarm, life: withLastChange(alarm.life, now) };
  await tx.run(updateDefinition, definitionRow(changed, now));
  if (!isSame) await replaceActions(tx, alarm.id, definition);
  return changed;
}

function definitionRow(alarm: StoredAlarm, now: Instant) {
  const { id, path, name, priority, value, definition } = alarm;
  return {
    id,
    path,
    name,
    tagGroupId: alarm.tagGroupId ?? null,
    priority,
    value,
    definition: JSON.stringify(definition),
    words: alarmWords(alarm, definition),
    now,
  };
}

const callTypes = new Set(['CallGroup', 'CallUser']);

async function replaceActions(tx: Tx, alarmId: number, definition: AlarmDefinition): Promise<void> {
  await tx.run(removeActions, { alarmId });
  for (const list of ['alarm', 'reset', 'ack'] as const) {
    for (const [place, { type, id }] of definition[list].actions.entries()) {
      if (callTypes.has(type)) await tx.run(insertAction, { alarmId, list, place, type, targetId: id });
    }
  }
}

const selectBuiltIn = statement((db, args: { stationId: number }) =>
  db
    .selectFrom('data_servers')
    .select(['id', 'name'])
    .where('station_id', '=', args.stationId)
    .where('built_in', '=', 1),
);

const selectByName = statement((db, args: { name: string }, kind) =>
  db
    .selectFrom('alarms')
    .select('id')
    .where(sameText('alarms.name', args.name, kind)),
);

type NewRow = Omit<DefinitionRow, 'id'> & { stationId: number; dataServerId: number };

const insertRow = statement<NewRow, { id: number }>((db, args) =>
  db
    .insertInto('alarms')
    .values({
      station_id: args.stationId,
      data_server_id: args.dataServerId,
      tag_group_id: args.tagGroupId,
      path: args.path,
      name: args.name,
      words: args.words,
      priority: args.priority,
      value: args.value,
      definition: args.definition,
      state: 0,
      is_latched: 0,
      created_at: args.now,
      last_change: args.now,
      ack_user: '',
      comment: '',
      occurrences: 0,
      pending_since: null,
      raised_at: null,
      source_time: null,
      next_due: null,
      mask_until: null,
      mask_reason: null,
      mask_by: null,
      ack_time: null,
      ack_user_id: null,
      reset_time: null,
      occurrence_id: null,
    })
    .returning('id'),
);

type DefinitionRow = ReturnType<typeof definitionRow>;

const updateDefinition = statement<DefinitionRow>((db, args) =>
  db
    .updateTable('alarms')
    .set({
      tag_group_id: args.tagGroupId,
      path: args.path,
      name: args.name,
      words: args.words,
      priority: args.priority,
      value: args.value,
      definition: args.definition,
      last_change: args.now,
    })
    .where('id', '=', args.id),
);

const removeActions = statement<{ alarmId: number }>((db, args) =>
  db.deleteFrom('alarm_actions').where('alarm_id', '=', args.alarmId),
);

const insertAction = statement<{ alarmId: number; list: string; place: number; type: string; targetId: number }>(
  (db, args) =>
    db.insertInto('alarm_actions').values({
      alarm_id: args.alarmId,
      list: args.list,
      place: args.place,
      type: args.type,
      target_id: args.targetId,
    }),
);
