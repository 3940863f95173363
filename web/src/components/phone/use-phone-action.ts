// Runs what a person does with a simulated phone, and reads the phones again.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOf } from '../../data/server.ts';

export function usePhoneAction() {
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState('');
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setTrouble('');
    await action().catch((error) => setTrouble(reasonOf(error)));
    await queries.invalidateQueries({ queryKey: ['phones'] });
  };
  return { run, trouble };
}
