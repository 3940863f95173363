// How text is cut into searchable words, the same for what is stored and for what is asked. Pure.

const longestWord = 64;

/** Case and accents do not count: `Élan`, `ELAN` and `elan` are one word. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** The words of a text in order: runs of letters, digits and pictographs, folded. */
export function wordsOf(text: string): readonly string[] {
  return (fold(text).match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []).map(shortened);
}

/** By code points: half of a pair is no character, and PostgreSQL would refuse it. */
function shortened(word: string): string {
  return word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');
}

/**
 * More than 10 KB of prose has. Of a longer text the first ones are in the index: a novel in a message must not hold up
 * alarms.
 */
const mostIndexed = 2_000;

function indexedWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, mostIndexed);
}

/** The words as one text with a space on each side, in which a whole word is found by ` word ` and a prefix by ` word`. */
export function searchableText(...texts: readonly string[]): string {
  return ` ${texts.flatMap(indexedWords).join(' ')} `;
}

/** The different words of texts, in the order of their bytes, as an index takes them. */
export function distinctWords(...texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(indexedWords))].sort();
}

/** What a search asks for: words that must occur as they are, and the last as the beginning of one. */
export type SearchWords = { readonly whole: readonly string[]; readonly beginning: string | undefined };

export function searchWords(search: string): SearchWords {
  const words = wordsOf(search);
  return { whole: [...new Set(words.slice(0, -1))], beginning: words.at(-1) };
}

/** What must all occur in a searchable text, as LIKE patterns: whole words, and the last as a prefix. */
export function searchPatterns(search: string): readonly string[] {
  const words = wordsOf(search);
  return words.map((word, index) => (index === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}

/** Whether the search finds the text, as the databases would say. */
export function isFoundIn(text: string, search: string): boolean {
  const searchable = searchableText(text);
  return searchPatterns(search).every((pattern) => searchable.includes(pattern.slice(1, -1)));
}
