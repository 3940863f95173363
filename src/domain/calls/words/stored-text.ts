// The text of a cause as it is stored: the words of the alarm or message, with marks for what depends on the person who
// hears it, such as the time in their zone and the words around it in their language. Pure.

import { messageIn } from '../../alarms/system-texts/catalogue.ts';
import type { SystemText } from '../../alarms/system-texts/texts.ts';
import type { Words } from './words.ts';

/** A private-use character, which the texts of alarms and messages lose, so that nobody can write a mark. */
const edge = '\ue000';

/** Some stand for a part of the sentence; `back`, `untaken`, `acknowledged`, `test`, `onDuty` and `offDuty` are said around everything behind them. */
export const mark = {
  time: (at: number): string => `${edge}time ${at}${edge}`,
  back: `${edge}back${edge}`,
  untaken: `${edge}untaken${edge}`,
  acknowledged: `${edge}acknowledged${edge}`,
  test: `${edge}test${edge}`,
  onDuty: `${edge}onDuty${edge}`,
  offDuty: `${edge}offDuty${edge}`,
  until: (at: number): string => `${edge}until ${at}${edge}`,
  testCall: `${edge}testCall${edge}`,
  drill: `${edge}drill${edge}`,
  number: (number: number): string => `${edge}number ${number}${edge}`,
  /** Who took an alarm; an empty name is somebody whom the reader may not see. */
  taken: (name: string): string => `${edge}taken ${name}${edge}`,
};

/**
 * Marks what a system alarm says around its English message, by its code as JSON. Versions that do not know these marks say the
 * message between them.
 */
export function withSystemText(text: SystemText | undefined, message: string): string {
  const shown = withoutMarks(message);
  if (text === undefined) return shown;
  return `${edge}systemText ${withoutMarks(JSON.stringify(text))}${edge}${shown}${edge}systemTextEnd${edge}`;
}

/** Removes what could be read as a mark, here or in recorded-text.ts, from the text of an alarm or message. */
export function withoutMarks(text: string): string {
  return text.replace(/[\ue000\ue001]/g, '');
}

export type Reader = { readonly words: Words; readonly language: string; readonly timeZone: string };

const wrapping = /\ue000(back|untaken|acknowledged|test|onDuty|offDuty)\ue000/;
type Wrapping = 'back' | 'untaken' | 'acknowledged' | 'test' | 'onDuty' | 'offDuty';
const inside = /\ue000(\w+)(?: ([^\ue000]*))?\ue000/g;

const systemTexts = /\ue000systemText ([^\ue000]*)\ue000([^\ue000]*)\ue000systemTextEnd\ue000/g;

/** Returns the stored text in the language and zone of the person who hears or reads it. */
export function textFor(stored: string, reader: Reader): string {
  const worded = stored.replace(systemTexts, (_, json: string, message: string) =>
    messageIn([reader.language], { systemText: JSON.parse(json), alarm: { message } }),
  );
  return markedTextFor(worded, reader);
}

function markedTextFor(stored: string, reader: Reader): string {
  const found = wrapping.exec(stored);
  if (found !== null) {
    const [whole, name] = found;
    const rest = markedTextFor(stored.slice(found.index + whole.length), reader);
    return markedTextFor(stored.slice(0, found.index), reader) + reader.words[name as Wrapping](rest);
  }
  return stored.replace(inside, (_, part: string, value = '') => partFor(part, value, reader));
}

function partFor(part: string, value: string, { words, timeZone }: Reader): string {
  if (part === 'time') return timeIn(timeZone, Number(value));
  if (part === 'until') return words.until(timeIn(timeZone, Number(value)));
  if (part === 'number') return words.number(Number(value));
  if (part === 'taken') return words.takenBy(value === '' ? words.somebodyElse : value);
  return part === 'testCall' || part === 'drill' ? words[part] : '';
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Prints an instant as `2026-11-15 13:00` in the civil time of the zone. */
export function timeIn(timeZone: string, at: number): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(at);
}
