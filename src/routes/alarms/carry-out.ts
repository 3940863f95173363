// Carries out the command of a person on an alarm, for themselves or on behalf of somebody else.

import { callerAt, type Principal, type Scope } from '../../domain/access/access.ts';
import { mayCause, neededFor } from '../../domain/access/effects.ts';
import type { AlarmCommand } from '../../domain/alarms/alarm.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../http/route.ts';
import { commandAlarm } from '../../operations/alarms/operator-commands.ts';
import { getCivilTime } from '../../operations/system/reference-time.ts';
import type { Store } from '../../store/store.ts';
import { parseDateTime } from '../../wire/date-time.ts';

export type OperatorCommand = Extract<AlarmCommand, { kind: 'acknowledge' | 'reset' | 'mask' | 'unmask' }>;

type Commanding = Pick<Call<Scope>, 'principal' | 'request'> & { readonly params: { readonly id: number } };

export async function carryOut(
  store: Store,
  { principal, request, params }: Commanding,
  command: OperatorCommand,
  onBehalfOf?: number,
): Promise<true> {
  const by = { name: principal.name, userId: principal.kind === 'user' ? principal.id : undefined };
  const caller = callerAt(principal, request);
  const input = { caller, id: params.id, command, by, onBehalfOf: takerOf(principal, onBehalfOf) };
  await store.write(commandAlarm, input);
  return true;
}

/** Returns the user who takes the alarm; undefined: the caller. */
export function takerOf(principal: Principal, onBehalfOf: number | undefined): number | undefined {
  if (!onBehalfOf || mayCause(principal, 'act for somebody else')) return onBehalfOf || undefined;
  throw new AppError('scope-missing', `To acknowledge for somebody else needs ${neededFor('act for somebody else')}.`);
}

type MaskLimits = { readonly store: Store; readonly timeZone: string; readonly longestMaskMs: number };

type MaskLength = { readonly until?: string; readonly minutes?: number };

/** Returns the end of a mask, which must be within the limit by the clock of the database. */
export async function maskEnd({ until: text, minutes }: MaskLength, now: number, parts: MaskLimits): Promise<number> {
  const { store, timeZone, longestMaskMs: longestMs } = parts;
  const field = minutes === undefined ? 'until' : 'minutes';
  if ((text === undefined) === (minutes === undefined))
    throw refusal('invalid-input', field, 'must be given, or the other of `until` and `minutes`, and not both');
  const civil = await store.read(getCivilTime, { now });
  const end = minutes === undefined ? (parseDateTime(text ?? '', timeZone) ?? Number.NaN) : civil + minutes * 60_000;
  if (end > civil && end <= civil + longestMs) return end;
  const limit = `at most ${longestMs / 3_600_000} hours`;
  const message = minutes === undefined ? `must be in the future, ${limit} from now` : `must be ${limit}`;
  throw refusal('unprocessable', field, message);
}

function refusal(code: 'invalid-input' | 'unprocessable', field: string, message: string): AppError {
  return new AppError(code, `${field} ${message}.`, { errors: [{ field, message }] });
}
