// The JSON of an alarm: exactly the twenty fields of the interface, always present and never null.

import { type Static, Type } from 'typebox';
import type { AlarmView } from '../../domain/alarms/view.ts';
import { printInstant, printUtcLocal } from '../date-time.ts';
import { uint } from '../paging.ts';

const orEmpty = { description: 'Empty when there is none.' };

export const alarmSchema = Type.Object({
  id: uint(),
  dataServerId: uint(),
  path: Type.String({ description: 'The path of the tag.', examples: ['Plant/Pump7/Temperature'] }),
  fullPath: Type.String({
    description: 'The name of the data server, a backslash, and the path.',
    examples: ['API\\Plant/Pump7/Temperature'],
  }),
  name: Type.String({ description: 'Unique.' }),
  localizedName: Type.String({ description: 'The name in the requested language; the plain name if there is none.' }),
  value: Type.String(),
  message: Type.String(),
  resetMessage: Type.String(),
  ackMessage: Type.String(),
  priority: uint({ description: '1 is the most urgent.' }),
  state: Type.Integer({
    minimum: 0,
    maximum: 3,
    description:
      '0 normal, 1 active and acknowledged, 2 back to normal and not acknowledged, 3 active and not acknowledged.',
  }),
  masked: Type.Boolean(),
  alarmTime: Type.String({
    description: "The latest raise, with the offset of the server's time zone.",
    examples: ['2026-05-31T08:30:00.000+02:00'],
  }),
  lastChange: Type.String({ description: 'UTC, without offset.', examples: ['2026-05-31T06:30:00.000'] }),
  ackUser: Type.String(orEmpty),
  attachedFile: Type.String(orEmpty),
  resetAttachedFile: Type.String(orEmpty),
  ackAttachedFile: Type.String(orEmpty),
  comment: Type.String(orEmpty),
});

type AlarmJson = Readonly<Static<typeof alarmSchema>>;

export type AlarmPrinting = {
  readonly timeZone: string;
  /** Language tags, the preferred one first. */
  readonly languages?: readonly string[];
};

export function printAlarm(alarm: AlarmView, { timeZone, languages = [] }: AlarmPrinting): AlarmJson {
  const { definition, life } = alarm;
  return {
    id: alarm.id,
    dataServerId: alarm.dataServerId,
    path: alarm.path,
    fullPath: `${alarm.dataServerName}\\${alarm.path}`,
    name: alarm.name,
    localizedName: nameIn(languages, definition.names) ?? alarm.name,
    value: alarm.value,
    message: definition.alarm.message,
    resetMessage: definition.reset.message,
    ackMessage: definition.ack.message,
    priority: alarm.priority,
    state: life.state,
    masked: life.mask !== undefined,
    alarmTime: printInstant(life.raisedAt ?? alarm.createdAt, timeZone),
    lastChange: printUtcLocal(life.lastChange),
    ackUser: alarm.ackUser,
    attachedFile: definition.alarm.attachedFile,
    resetAttachedFile: definition.reset.attachedFile,
    ackAttachedFile: definition.ack.attachedFile,
    comment: alarm.comment,
  };
}

/**
 * RFC 4647 lookup: `fr-CA` matches `fr-CA`, else `fr`, before the next language is tried; an empty name does not match.
 */
function nameIn(languages: readonly string[], names: Readonly<Record<string, string>>): string | undefined {
  const known = Object.entries(names);
  if (known.length === 0) return undefined;
  for (const language of languages) {
    for (
      let range = language.toLowerCase();
      range !== '';
      range = range.slice(0, Math.max(0, range.lastIndexOf('-')))
    ) {
      const found = known.find(([tag, name]) => tag.toLowerCase() === range && name !== '');
      if (found !== undefined) return found[1];
    }
  }
  return undefined;
}
