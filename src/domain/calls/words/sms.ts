// Fits texts into short messages: counts the segments of a text as the network does, and leaves out what does not fit into
// three of them, with a count. Pure.

import type { Words } from './words.ts';

/** The characters of GSM 03.38 that take one septet, and those that take two. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

const mostSegments = 3;

/** Returns the number of segments that the network needs for the text: GSM-7 if every character is in it, else UCS-2. */
export function segmentsOf(text: string): number {
  const septets = septetsOf(text);
  const [length, single, several] = septets === undefined ? [text.length, 70, 67] : [septets, 160, 153];
  return length <= single ? 1 : Math.ceil(length / several);
}

/** Undefined if a character is not in GSM-7. */
function septetsOf(text: string): number | undefined {
  let septets = 0;
  for (const character of text) {
    if (extended.has(character)) septets += 2;
    else if (basic.has(character)) septets++;
    else return undefined;
  }
  return septets;
}

/** Typographic characters that would make a text UCS-2, and so less than half as long, become plain ones. */
export function inPlainCharacters(text: string): string {
  return text
    .replace(/[‘’‚]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replace(/[\u00a0\u202f]/g, ' ');
}

export type ShortMessage = {
  readonly text: string;
  /** How many of the texts it names, from the first on. */
  readonly named: number;
};

/** What the site says before and after every message; empty if nothing. */
type SiteTexts = { readonly opening: string; readonly closing: string };

const noSiteTexts: SiteTexts = { opening: '', closing: '' };

/**
 * Joins as many of the texts as fit into three segments with the instruction that `endOf` returns for them, and counts the
 * others. `total` counts all causes, also those without a text here. The site's own opening and closing stand around them
 * where there is room, and never in the place of an alarm. A first text that is too long is cut.
 */
export function shortMessage(
  texts: readonly string[],
  total: number,
  words: Words,
  endOf: (named: number) => string,
  own: SiteTexts = noSiteTexts,
): ShortMessage {
  const textWith = (named: number, { opening, closing }: SiteTexts, shown = texts.slice(0, named)): string => {
    const rest = total - named;
    const numbered = shown.map((text, index) => (total > 1 ? `${words.ofTotal(index + 1, total)} ${text}` : text));
    const parts = [opening, ...numbered, ...(rest > 0 ? [words.more(rest)] : []), closing, endOf(named)];
    return inPlainCharacters(parts.filter((part) => part !== '').join('\n'));
  };
  const fits = (text: string): boolean => segmentsOf(text) <= mostSegments;
  for (let named = texts.length; named > 0; named--) {
    const text = [own, { ...own, closing: '' }, noSiteTexts].map((site) => textWith(named, site)).find(fits);
    if (text !== undefined) return { text, named };
  }
  const [first] = texts;
  if (first === undefined) return { text: textWith(0, own), named: 0 };
  const characters = [...first];
  const cutTo = (length: number): string =>
    textWith(1, noSiteTexts, [
      `${characters.slice(0, length).join('').trimEnd()}${words.moreCharacters(characters.length - length)}`,
    ]);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cutTo(middle))) low = middle;
    else high = middle - 1;
  }
  return { text: cutTo(low), named: 1 };
}
