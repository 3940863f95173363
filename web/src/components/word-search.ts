// Finds texts by the words that somebody types.

/** Whether every word of the query occurs in the text, whatever its case. */
export function hasWords(text: string, query: string): boolean {
  const line = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}
