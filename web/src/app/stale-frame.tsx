// Takes the colour from what is shown while nothing comes from the server, so that it looks broken and not calm.

import type { ReactElement, ReactNode } from 'react';
import { useEffect } from 'react';
import { useLinkHealth } from '../data/use-live.ts';
import { useWords } from '../words/use-words.ts';

export function StaleFrame({ children }: { readonly children: ReactNode }): ReactElement {
  const { isStale } = useLinkHealth();
  const words = useWords();
  useEffect(() => {
    document.title = isStale ? words.stale.tab : 'Tocsin';
  }, [isStale, words]);
  return <div data-stale={isStale ? '' : undefined}>{children}</div>;
}
