// Refusals shared by changes of plant and people resources.

import type { Caller } from '../../domain/access/access.ts';
import { type PeopleKind, peopleKinds } from '../../domain/people/entities.ts';
import { type PlantKind, plantKinds } from '../../domain/plant/entities.ts';
import { AppError, type FieldError } from '../../errors.ts';
import type { ReadTx } from '../../store/store.ts';
import { referrersOf } from './referrers.ts';

const nouns = { ...plantKinds, ...peopleKinds };

/** The error for a field that refers to something missing or not allowed. */
export function unprocessable(field: string, message: string): AppError {
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

/** Throws one refusal for several field errors; returns if there are none. */
export function refuseFields(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const sentence =
    errors.length === 1 ? `${first.field} ${first.message}.` : `${errors.length} fields cannot be taken as they are.`;
  throw new AppError('unprocessable', sentence, { errors: errors.slice(0, 20) });
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
