// The languages in which the server words its sentences. Pure.

/** In alphabetical order. */
export const languages = ['de', 'en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** Returns the first of the wanted languages that is offered, by its primary tag; English if none is. */
export function offeredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [primary = ''] = tag.toLowerCase().split(/[-_]/);
    const found = languages.find((language) => language === primary);
    if (found !== undefined) return found;
  }
  return 'en';
}
