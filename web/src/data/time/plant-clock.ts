// The clock of the plant: its time zone and the language of the reader.

import type { Clock } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { useSite } from '../directory.ts';

export function usePlantClock(): Clock {
  const { locale } = useWords();
  const site = useSite();
  return { locale, timeZone: site.when({ known: ({ timeZone }) => timeZone, unread: () => undefined }) };
}
