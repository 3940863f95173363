// Runs what a dialog asks of the server once at a time, and keeps why it was refused.

import { type FormEvent, useState } from 'react';
import { reasonOf } from '../data/server.ts';

export type Submit = {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly trouble: string;
  readonly setTrouble: (trouble: string) => void;
};

export function useSubmit(action: (form: FormData) => Promise<void>): Submit {
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble('');
    void action(new FormData(event.currentTarget))
      .catch((error) => setTrouble(reasonOf(error)))
      .finally(() => setBusy(false));
  };
  return { onSubmit, trouble, setTrouble };
}
