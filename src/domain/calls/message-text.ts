// The texts of call messages: one alarm by the format of its definition, and several causes joined into one text. Pure.

import type { ActionList } from '../alarms/alarm.ts';
import type { AlarmDefinition } from '../alarms/definition.ts';

type TextParts = {
  readonly definition: AlarmDefinition;
  readonly value: string;
  readonly path: string;
  readonly name: string;
  readonly priority: number;
  /** Printed in local time. */
  readonly time: string;
  readonly station: string;
};

/** Fills the placeholders of the format. Without a format the text is the message, without a message the name. */
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
  // Unknown names in braces stay in the text.
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

/** The maximum of causes a message names; it counts the rest. */
export const mostAnnounced = 10;

/** Joins the texts of the named causes, the most urgent first; `total` counts all open causes. */
export function joinTexts(texts: readonly string[], total: number): string {
  if (total <= 1) return texts[0] ?? '';
  const numbered = texts.map((text, index) => `${index + 1} of ${total}: ${text}`);
  const rest = total - texts.length;
  return [...numbered, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
