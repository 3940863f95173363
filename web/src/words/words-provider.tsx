// Gives the texts of the chosen language to all components; other languages than English are loaded when chosen.

import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState } from 'react';
import { en } from './en/en.ts';
import { currentLanguage, keepLanguage, type Language } from './language.ts';
import { WordsContext } from './use-words.ts';
import type { Words } from './words.ts';

const catalogues: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => en,
  fr: async () => (await import('./fr/fr.ts')).fr,
  de: async () => (await import('./de/de.ts')).de,
};

type Choice = { readonly language: Language; readonly choose: (language: Language) => void };

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => undefined });

export function useLanguage(): Choice {
  return useContext(LanguageContext);
}

export function WordsProvider({ children }: { readonly children: ReactNode }): ReactElement | null {
  const [language, setLanguage] = useState(currentLanguage);
  const [words, setWords] = useState<Words | undefined>(language === 'en' ? en : undefined);
  useEffect(() => {
    let isCurrent = true;
    void catalogues[language]().then((loaded) => {
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setWords(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  if (words === undefined) return null;
  const choose = (chosen: Language): void => {
    keepLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, choose }}>
      <WordsContext value={words}>{children}</WordsContext>
    </LanguageContext>
  );
}
