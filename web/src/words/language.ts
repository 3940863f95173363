// The language of this browser: the one chosen, else that of the browser, else English.

export type Language = 'en' | 'fr' | 'de';
export const languages: readonly Language[] = ['en', 'de', 'fr'];

const key = 'tocsin.language';

function isLanguage(text: string | null | undefined): text is Language {
  return languages.some((language) => language === text);
}

export function currentLanguage(): Language {
  const chosen = localStorage.getItem(key);
  if (isLanguage(chosen)) return chosen;
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return preferred ?? 'en';
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language);
}
