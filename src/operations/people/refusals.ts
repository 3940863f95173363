// The refusals that changes of the directory share.

import type { Caller } from '../../domain/access/access.ts';
import { type PeopleKind, peopleKinds } from '../../domain/people/entities.ts';
import { type PlantKind, plantKinds } from '../../domain/plant/entities.ts';
import { AppError, type FieldError } from '../../errors.ts';
import type { ReadTx } from '../../store/store.ts';
import { referrersOf } from './referrers.ts';

const nouns = { ...plantKinds, ...peopleKinds };

/** The field names what does not exist or is not allowed. */
export function unprocessable(field: string, message: string): AppError {
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

/** One refusal for several fields. */
export function refuseFields(mistakes: readonly FieldError[]): void {
  const [first] = mistakes;
  if (first === undefined) return;
  const sentence =
    mistakes.length === 1
      ? `${first.field} ${first.message}.`
      : `${mistakes.length} fields cannot be taken as they are.`;
  throw new AppError('unprocessable', sentence, { errors: mistakes.slice(0, 20) });
}

export async function refuseReferredTo(
  tx: ReadTx,
  kind: PlantKind | PeopleKind,
  id: number,
  caller: Caller,
): Promise<void> {
  const referrers = await referrersOf(tx, kind, id, caller);
  if (referrers.length === 0) return;
  throw new AppError('still-referred-to', `The ${nouns[kind].noun} is still referred to by ${referrers.join(', ')}.`);
}
