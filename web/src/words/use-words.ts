// The texts of the console in the language of the reader.

import { createContext, useContext } from 'react';
import { en, type Words } from './en.ts';

export const WordsContext = createContext<Words>(en);

export function useWords(): Words {
  return useContext(WordsContext);
}
