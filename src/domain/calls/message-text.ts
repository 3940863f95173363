// The texts of call messages: one alarm by the format of its definition, and several causes joined into one text. Pure.

import type { ActionList } from '../alarms/alarm.ts';
import type { AlarmDefinition } from '../alarms/definition.ts';
import { mark, withoutMarks, withSystemText } from './words/stored-text.ts';
import type { Words } from './words/words.ts';

type TextParts = {
  readonly definition: AlarmDefinition;
  readonly value: string;
  readonly path: string;
  readonly name: string;
  readonly priority: number;
  /** When it happened; printed in the zone of the person who is called. */
  readonly at: number;
  readonly station: string;
};

/**
 * Fills the placeholders of the format. Without a format the text is the message, without a message the name. What depends
 * on the person is left as marks, see words/stored-text.ts.
 */
export function callText(list: ActionList, parts: TextParts): { readonly text: string; readonly shortText: string } {
  const { message, format, shortMessage } = parts.definition[list];
  const said = message === '' ? defaultMessage(list, parts) : messageOf(list, parts.definition);
  const short = shortMessage === '' ? said : withoutMarks(shortMessage);
  const values = new Map([
    ['message', said],
    ['shortMessage', short],
    ['value', withoutMarks(parts.value)],
    ['path', withoutMarks(parts.path)],
    ['name', withoutMarks(parts.name)],
    ['priority', String(parts.priority)],
    ['time', mark.time(parts.at)],
    ['station', withoutMarks(parts.station)],
    ['zone', withoutMarks(zoneOf(parts.definition.location))],
  ]);
  // Unknown names in braces stay in the text.
  const filled = withoutMarks(format).replace(/\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);
  return { text: format === '' ? said : filled, shortText: short };
}

function defaultMessage(list: ActionList, { name, definition }: TextParts): string {
  const alarm = definition.alarm.message === '' ? withoutMarks(name) : messageOf('alarm', definition);
  if (list === 'reset') return `${mark.back}${alarm}`;
  return list === 'ack' ? `${mark.acknowledged}${alarm}` : alarm;
}

function messageOf(list: ActionList, definition: AlarmDefinition): string {
  return withSystemText(list === 'alarm' ? definition.systemText : undefined, definition[list].message);
}

function zoneOf(location: unknown): string {
  const zone = typeof location === 'object' && location !== null && 'zone' in location ? location.zone : undefined;
  return typeof zone === 'string' ? zone : '';
}

/** The maximum of causes a message names; it counts the rest. */
export const mostAnnounced = 10;

/** Joins the texts of the named causes, the most urgent first; `total` counts all open causes. */
export function joinTexts(texts: readonly string[], total: number, words: Words): string {
  if (total <= 1) return texts[0] ?? '';
  const numbered = texts.map((text, index) => `${words.ofTotal(index + 1, total)} ${text}`);
  const rest = total - texts.length;
  return [...numbered, ...(rest > 0 ? [words.more(rest)] : [])].join('\n');
}
