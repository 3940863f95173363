// The texts of the console in the language of the reader.

import { createContext, useContext } from 'react';
import { en } from './en/en.ts';
import type { Words } from './words.ts';

export const WordsContext = createContext<Words>(en);

export function useWords(): Words {
  return useContext(WordsContext);
}
