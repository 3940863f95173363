// What a system alarm says, in the language of the reader, and how a text with several lines grows. Pure.

import { type Language, offeredLanguage } from '../../language.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { SystemText, SystemTextParameters, SystemTextWords } from './texts.ts';

export const systemTextWords: Readonly<Record<Language, SystemTextWords>> = { de: german, en: english, fr: french };

/** Returns the text in a language of the catalogue; undefined for a code of a newer version, whose stored message is shown. */
export function systemTextIn(language: Language, { code, parameters }: SystemText): string | undefined {
  const words = systemTextWords[language];
  if (!Object.hasOwn(words, code)) return undefined;
  return (words[code] as (parameters: SystemText['parameters']) => string)(parameters);
}

export function englishOf(text: SystemText): string {
  return systemTextIn('en', text) ?? '';
}

/** Returns the message of an alarm for a reader who prefers these languages, the first one most; English if none is offered. */
export function messageIn(
  languages: readonly string[],
  { systemText, alarm }: { readonly systemText?: SystemText | undefined; readonly alarm: { readonly message: string } },
): string {
  if (systemText === undefined) return alarm.message;
  const language = offeredLanguage(languages);
  // The stored message is the English one.
  return language === 'en' ? alarm.message : (systemTextIn(language, systemText) ?? alarm.message);
}

type GrowingCode = {
  [C in keyof SystemTextParameters]: SystemTextParameters[C] extends { readonly lines: readonly unknown[] } ? C : never;
}[keyof SystemTextParameters];

/** A text that grows by lines. */
type GrowingText = Extract<SystemText, { readonly code: GrowingCode }>;

/** Long enough for some dozens of lines; nobody reads more. */
const longestText = 4_000;

/** Returns the text with the lines of another of the same code that it does not have yet. */
export function grownSystemText(known: SystemText, added: SystemText): SystemText {
  if (!isGrowing(known) || !isGrowing(added) || known.code !== added.code) return known;
  const text = grown(known, added.parameters.lines);
  return added.parameters.hasMore ? withLines(text, text.parameters.lines, true) : text;
}

function isGrowing(text: SystemText): text is GrowingText {
  return 'lines' in text.parameters;
}

function grown<T extends GrowingText>(known: T, added: readonly unknown[]): T {
  const lines: unknown[] = [...known.parameters.lines];
  const had = new Set(lines.map((line) => JSON.stringify(line)));
  for (const line of added) {
    const key = JSON.stringify(line);
    if (had.has(key)) continue;
    if (known.parameters.hasMore || isTooLong(withLines(known, [...lines, line], false)))
      return withLines(known, lines, true);
    had.add(key);
    lines.push(line);
  }
  return lines.length === known.parameters.lines.length ? known : withLines(known, lines, known.parameters.hasMore);
}

/** The end of the line before is not counted. */
function isTooLong(text: GrowingText): boolean {
  return englishOf(text).length > longestText + 1;
}

function withLines<T extends GrowingText>(text: T, lines: readonly unknown[], hasMore: boolean): T {
  return { ...text, parameters: { ...text.parameters, lines, hasMore } };
}
