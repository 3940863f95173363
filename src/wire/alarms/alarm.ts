// The JSON of an alarm: exactly the twenty fields of the interface, always present and never null.

import { type Static, Type } from 'typebox';
import { messageIn } from '../../domain/alarms/system-texts/catalogue.ts';
import type { AlarmView } from '../../domain/alarms/view.ts';
import { instantText, printInstant, printUtcLocal } from '../date-time.ts';
import { choice, idOf, uint } from '../paging.ts';

const orEmpty = (what: string) => Type.String({ description: `${what}; empty when there is none.` });

export const alarmSchema = Type.Object({
  id: idOf('alarm'),
  dataServerId: idOf('data server of the tag'),
  path: Type.String({ description: 'The path of the tag.', examples: ['Plant/Pump7/Temperature'] }),
  fullPath: Type.String({
    description: 'The name of the data server, a backslash, and the path.',
    examples: ['API\\Plant/Pump7/Temperature'],
  }),
  name: Type.String({ description: 'The name of the alarm, unique.', examples: ['Plant/Pump7/Temperature'] }),
  localizedName: Type.String({ description: 'The name in the requested language; the plain name if there is none.' }),
  value: orEmpty('The last value of the tag'),
  message: orEmpty('The text of the alarm; of a system alarm in the requested language'),
  resetMessage: orEmpty('The text of its return to normal'),
  ackMessage: orEmpty('The text of its acknowledgement'),
  priority: uint({ description: '1 is the most urgent.' }),
  state: choice(
    [
      [0, 'normal'],
      [1, 'active and acknowledged'],
      [2, 'back to normal and not acknowledged'],
      [3, 'active and not acknowledged'],
    ],
    { description: 'Bit 0: active, bit 1: not acknowledged.', examples: [3] },
  ),
  masked: Type.Boolean({ description: 'Whether it is masked: nobody is called for it.' }),
  alarmTime: instantText("The latest raise, with the offset of the server's time zone."),
  lastChange: Type.String({
    description: 'The last change: UTC, without offset.',
    examples: ['2026-05-31T06:30:00.000'],
  }),
  ackUser: orEmpty('Who acknowledged it'),
  attachedFile: orEmpty('The media name of the file attached to the alarm'),
  resetAttachedFile: orEmpty('That of its return to normal'),
  ackAttachedFile: orEmpty('That of its acknowledgement'),
  comment: orEmpty('The newest comment'),
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
    message: messageIn(languages, definition),
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
