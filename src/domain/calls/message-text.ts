// What people are told of an alarm: the text its definition makes, and several of them in one call. Pure.

import type { ActionList } from '../alarms/alarm.ts';
import type { AlarmDefinition } from '../alarms/definition.ts';

type TextParts = {
  readonly definition: AlarmDefinition;
  readonly value: string;
  readonly path: string;
  readonly name: string;
  readonly priority: number;
  /** Local time, for people. */
  readonly time: string;
  readonly station: string;
};

/** What is sent: the format's placeholders filled in; without a format the message, without a message the name. */
export function callText(list: ActionList, parts: TextParts): { readonly text: string; readonly shortText: string } {
  const { message, format, shortMessage } = parts.definition[list];
  const said = message === '' ? defaultMessage(list, parts) : message;
  const short = shortMessage === '' ? said : shortMessage;
  const values = new Map([
    ['message', said],
    ['shortMessage', short],
    ['value', parts.value],
    ['path', parts.path],
    ['name', parts.name],
    ['priority', String(parts.priority)],
    ['time', parts.time],
    ['station', parts.station],
    ['zone', zoneOf(parts.definition.location)],
  ]);
  // Anything else in braces is text of the user's own.
  const text = format === '' ? said : format.replace(/\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);
  return { text, shortText: short };
}

function defaultMessage(list: ActionList, { name, definition }: TextParts): string {
  const alarm = definition.alarm.message === '' ? name : definition.alarm.message;
  if (list === 'reset') return `Back to normal: ${alarm}`;
  return list === 'ack' ? `Acknowledged: ${alarm}` : alarm;
}

function zoneOf(location: unknown): string {
  const zone = typeof location === 'object' && location !== null && 'zone' in location ? location.zone : undefined;
  return typeof zone === 'string' ? zone : '';
}

/** A message names at most so many causes; of the others it says how many there are. */
export const mostAnnounced = 10;

/** One text from the texts of all open causes, the most urgent first. */
export function joinTexts(texts: readonly string[], total: number): string {
  if (total <= 1) return texts[0] ?? '';
  const numbered = texts.map((text, index) => `${index + 1} of ${total}: ${text}`);
  const rest = total - texts.length;
  return [...numbered, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
