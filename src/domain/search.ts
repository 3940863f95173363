// Splits text into searchable words, in the same way for stored texts and for searches. Pure.

const longestWord = 64;

/** Removes case and accents: `Élan`, `ELAN` and `elan` become the same word. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** Ligatures that Unicode does not take apart; a capital sharp s becomes a small one by folding. */
const ligatures: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss' };

/** Returns the words of a text in order: runs of letters, digits and pictographs, folded, and ligatures as letters. */
export function wordsOf(text: string): readonly string[] {
  const letters = fold(text).replace(/[œæß]/g, (ligature) => ligatures[ligature] ?? ligature);
  return (letters.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []).map(shortened);
}

/** Cuts by code points, because PostgreSQL rejects half a surrogate pair. */
function shortened(word: string): string {
  return word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');
}

/**
 * More distinct words than a page of prose has. Only the first ones of a longer text are indexed: each is a row, and a
 * very long message must not delay other alarms.
 */
const maxIndexedWords = 500;

function indexedWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, maxIndexedWords);
}

/**
 * Returns the words as one text with a space on each side, in which a whole word is found by ` word ` and a prefix by `
 * word`.
 */
export function searchableText(...texts: readonly string[]): string {
  return ` ${texts.flatMap(indexedWords).join(' ')} `;
}

/** Returns the distinct words of the texts in byte order, as the index expects them. */
export function distinctWords(...texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(indexedWords))].sort();
}

/** The words of a search: all must occur whole, except the last, which may be a prefix. */
export type SearchWords = { readonly whole: readonly string[]; readonly beginning: string | undefined };

export function searchWords(search: string): SearchWords {
  const words = wordsOf(search);
  return { whole: [...new Set(words.slice(0, -1))], beginning: words.at(-1) };
}

/** Returns LIKE patterns that must all match a searchable text: whole words, and the last as a prefix. */
export function searchPatterns(search: string): readonly string[] {
  const words = wordsOf(search);
  return words.map((word, index) => (index === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}

/** Whether the search matches the text, by the same rule as the databases. */
export function isFoundIn(text: string, search: string): boolean {
  const searchable = searchableText(text);
  return searchPatterns(search).every((pattern) => searchable.includes(pattern.slice(1, -1)));
}
