// The JSON of call groups and of groupings.

import { type Static, Type } from 'typebox';
import type { CallGroup, CallGroupGrouping } from '../../domain/people/call-group.ts';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idList, idOrNull, lastChange, namesByLanguage, optionalId } from '../entry.ts';
import { knownLanguage, knownTimeZone, timeZoneText } from '../locale.ts';
import { uint } from '../paging.ts';

const callMode = Type.Enum(['all', 'turn'] as const, {
  description: '`all`: every member on duty at once; `turn`: the next one each time.',
});
const reliefMode = Type.Enum(['nobodyReached', 'perUser'] as const, {
  description: 'When relief members are called: once nobody was reached, or one for each person not reached.',
});
const stationId = Type.Optional(
  uint({ description: 'Not given, or 0: unchanged; for a new one, your only station, else station 1.' }),
);

const groupName = entryName('Pumps');
const teamIds = idList('In the order in which they are called.');

export const callGroupSchema = Type.Object({
  id: uint(),
  name: groupName,
  names: namesByLanguage(),
  stationId: uint(),
  timeZone: Type.String(),
  callMode,
  reliefMode,
  reliefGroupId: idOrNull('The group that is called when this one was not reached.'),
  discardWhenNobodyOnCall: Type.Boolean({ description: 'If false, a call waits for the next person on duty.' }),
  teamIds,
  scheduleId: idOrNull('Which of the teams has the duty; null: all of them, always.'),
  lastChange,
});

export const callGroupBody = Type.Object({
  name: groupName,
  names: Type.Optional(namesByLanguage()),
  stationId,
  timeZone: Type.Optional(timeZoneText("Not given: the server's.")),
  callMode: Type.Optional(Type.Enum(callMode.enum, { ...callMode, default: 'all' })),
  reliefMode: Type.Optional(Type.Enum(reliefMode.enum, { ...reliefMode, default: 'nobodyReached' })),
  reliefGroupId: optionalId('The group that is called when this one was not reached.'),
  discardWhenNobodyOnCall: Type.Optional(Type.Boolean({ default: false })),
  teamIds: Type.Optional(teamIds),
  scheduleId: optionalId('Which of the teams has the duty.'),
});

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
    discardWhenNobodyOnCall: group.discardWhenNobodyOnCall,
    teamIds: [...group.teamIds],
    scheduleId: group.scheduleId ?? null,
    lastChange: printUtcLocal(group.lastChange),
  };
}

const groupingName = entryName('Whole site');
const callGroupIds = idList('The call groups it contains.');
const groupingIds = idList('The groupings it contains, without cycles.');

export const groupingSchema = Type.Object({
  id: uint(),
  name: groupingName,
  stationId: uint(),
  callGroupIds,
  groupingIds,
  lastChange,
});

export const groupingBody = Type.Object({
  name: groupingName,
  stationId,
  callGroupIds: Type.Optional(callGroupIds),
  groupingIds: Type.Optional(groupingIds),
});

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
