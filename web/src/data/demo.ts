// The demo plant of the installation: whether there is one, its making and its removal.

import { useQueryClient } from '@tanstack/react-query';
import { type DemoPlant, getDemo, makeDemo, removeDemo } from '@tocsin/client';
import { useState } from 'react';
import { refetchEvery } from './lists/query-failures.ts';
import type { Read } from './lists/read.ts';
import { useRead } from './lists/use-read.ts';
import { useHasRight } from './rights.ts';
import { reasonOf } from './server.ts';

const queryKey = ['demo'] as const;

/** Not asked for those who may not know. */
export function useDemo(): Read<DemoPlant> {
  const enabled = useHasRight('admin');
  return useRead({ queryKey, queryFn: () => getDemo(), enabled, refetchInterval: refetchEvery(60_000) });
}

type Doing = 'nothing' | 'making' | 'removing';

/** Makes and removes the plant; everything that was read before is read again. */
export function useDemoActions() {
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing>('nothing');
  const [trouble, setTrouble] = useState('');
  const run = async <T>(what: Doing, action: () => Promise<T>): Promise<T | undefined> => {
    setTrouble('');
    setDoing(what);
    try {
      const result = await action();
      await queries.invalidateQueries();
      return result;
    } catch (error) {
      setTrouble(reasonOf(error));
      return undefined;
    } finally {
      setDoing('nothing');
    }
  };
  return {
    doing,
    trouble,
    make: () => run('making', () => makeDemo()),
    remove: () => run('removing', () => removeDemo()),
  };
}
