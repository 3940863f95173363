// Gives the texts of the chosen language to all components.

import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState } from 'react';
import { de } from './de/de.ts';
import { en } from './en/en.ts';
import { fr } from './fr/fr.ts';
import { currentLanguage, keepLanguage, type Language } from './language.ts';
import { WordsContext } from './use-words.ts';
import type { Words } from './words.ts';

const catalogues: Readonly<Record<Language, Words>> = { en, fr, de };

type Choice = { readonly language: Language; readonly choose: (language: Language) => void };

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => undefined });

export function useLanguage(): Choice {
  return useContext(LanguageContext);
}

export function WordsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [language, setLanguage] = useState(currentLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (chosen: Language): void => {
    keepLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, choose }}>
      <WordsContext value={catalogues[language]}>{children}</WordsContext>
    </LanguageContext>
  );
}
