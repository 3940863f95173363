// The JSON of call groups and of groupings.

import { type Static, Type } from 'typebox';
import type { CallGroup, CallGroupGrouping } from '../../domain/people/call-group.ts';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idList, idOrNull, lastChange, namesByLanguage, optionalId } from '../entry.ts';
import { knownLanguage, knownTimeZone, timeZoneText } from '../locale.ts';
import { choice, idOf, uint } from '../paging.ts';

const callMode = choice(
  [
    ['all', 'every member on duty at once'],
    ['turn', 'the next one each time'],
  ],
  { title: 'CallMode', description: 'Whom a call reaches first.' },
);
const reliefMode = choice(
  [
    ['nobodyReached', 'once nobody was reached'],
    ['perUser', 'one for each person not reached'],
  ],
  { title: 'ReliefMode', description: 'When relief members are called.' },
);
const stationId = Type.Optional(
  uint({ description: 'Not given, or 0: unchanged; for a new one, your only station, else station 1.' }),
);

const timeToTakeText =
  'Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well; 0: no limit.';
const seconds = { maximum: 86_400, examples: [900] };

const groupName = entryName('Pumps');
const teamIds = idList('In the order in which they are called.');

export const callGroupSchema = Type.Object(
  {
    id: idOf('call group'),
    name: groupName,
    names: namesByLanguage(),
    stationId: idOf('station it belongs to'),
    timeZone: timeZoneText('Whose clock its times are of.'),
    callMode,
    reliefMode,
    reliefGroupId: idOrNull('The group that is called when this one was not reached.'),
    timeToTake: Type.Union([uint(seconds), Type.Null()], {
      description: `${timeToTakeText} Null: as the call policy says.`,
    }),
    discardWhenNobodyOnCall: Type.Boolean({ description: 'If false, a call waits for the next person on duty.' }),
    teamIds,
    scheduleId: idOrNull('Which of the teams has the duty; null: all of them, always.'),
    lastChange,
  },
  { title: 'CallGroup', description: 'People who are called together.' },
);

export const callGroupBody = Type.Object(
  {
    name: groupName,
    names: Type.Optional(namesByLanguage()),
    stationId,
    timeZone: Type.Optional(timeZoneText("Not given: the server's.")),
    callMode: Type.Optional(Type.Enum(callMode.enum, { ...callMode, default: 'all' })),
    reliefMode: Type.Optional(Type.Enum(reliefMode.enum, { ...reliefMode, default: 'nobodyReached' })),
    reliefGroupId: optionalId('The group that is called when this one was not reached.'),
    timeToTake: Type.Optional(
      uint({ ...seconds, description: `${timeToTakeText} Not given or null: as the call policy says.` }),
    ),
    discardWhenNobodyOnCall: Type.Optional(
      Type.Boolean({ description: 'If false, a call waits for the next person on duty.', default: false }),
    ),
    teamIds: Type.Optional(teamIds),
    scheduleId: optionalId('Which of the teams has the duty.'),
  },
  {
    title: 'CallGroupBody',
    description: 'People who are called together.',
    examples: [{ name: 'Pumps', names: { fr: 'Pompes' }, callMode: 'all', teamIds: [1] }],
  },
);

export function readCallGroup(body: Static<typeof callGroupBody>, serverZone: string): PeopleFields['callGroup'] {
  const names = body.names ?? {};
  for (const language of Object.keys(names)) knownLanguage(`names.${language}`, language);
  return {
    name: body.name,
    names,
    stationId: body.stationId || undefined,
    timeZone: body.timeZone === undefined ? serverZone : knownTimeZone('timeZone', body.timeZone),
    callMode: body.callMode ?? 'all',
    reliefMode: body.reliefMode ?? 'nobodyReached',
    reliefGroupId: body.reliefGroupId || undefined,
    timeToTakeSeconds: body.timeToTake ?? undefined,
    discardWhenNobodyOnCall: body.discardWhenNobodyOnCall ?? false,
    teamIds: body.teamIds ?? [],
    scheduleId: body.scheduleId || undefined,
  };
}

export function printCallGroup(group: Stored<CallGroup>): Static<typeof callGroupSchema> {
  return {
    id: group.id,
    name: group.name,
    names: { ...group.names },
    stationId: group.stationId,
    timeZone: group.timeZone,
    callMode: group.callMode,
    reliefMode: group.reliefMode,
    reliefGroupId: group.reliefGroupId ?? null,
    timeToTake: group.timeToTakeSeconds ?? null,
    discardWhenNobodyOnCall: group.discardWhenNobodyOnCall,
    teamIds: [...group.teamIds],
    scheduleId: group.scheduleId ?? null,
    lastChange: printUtcLocal(group.lastChange),
  };
}

const groupingName = entryName('Whole site');
const callGroupIds = idList('The call groups it contains.');
const groupingIds = idList('The groupings it contains, without cycles.');

export const groupingSchema = Type.Object(
  {
    id: idOf('grouping'),
    name: groupingName,
    stationId: idOf('station it belongs to'),
    callGroupIds,
    groupingIds,
    lastChange,
  },
  { title: 'CallGroupGrouping', description: 'Call groups under one name.' },
);

export const groupingBody = Type.Object(
  {
    name: groupingName,
    stationId,
    callGroupIds: Type.Optional(callGroupIds),
    groupingIds: Type.Optional(groupingIds),
  },
  {
    title: 'CallGroupGroupingBody',
    description: 'Call groups under one name.',
    examples: [{ name: 'Whole site', callGroupIds: [1] }],
  },
);

export function readGrouping(body: Static<typeof groupingBody>): PeopleFields['grouping'] {
  const { name, stationId, callGroupIds = [], groupingIds = [] } = body;
  return { name, stationId: stationId || undefined, callGroupIds, groupingIds };
}

export function printGrouping(grouping: Stored<CallGroupGrouping>): Static<typeof groupingSchema> {
  const { id, name, stationId, callGroupIds, groupingIds, lastChange } = grouping;
  return {
    id,
    name,
    stationId,
    callGroupIds: [...callGroupIds],
    groupingIds: [...groupingIds],
    lastChange: printUtcLocal(lastChange),
  };
}
