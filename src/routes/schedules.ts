// Further schedule routes: preview a schedule before saving, take the duty, swap it.

import { Type } from 'typebox';
import { callerAt, type Principal } from '../domain/access/access.ts';
import { mayCause, neededFor } from '../domain/access/effects.ts';
import { printMoment } from '../domain/on-call/civil-time.ts';
import type { Override, Schedule } from '../domain/on-call/schedule.ts';
import type { Swap } from '../domain/on-call/swap.ts';
import { mostTakenDays, takeProblem } from '../domain/on-call/taken-duty.ts';
import { AppError } from '../errors.ts';
import type { ChangeCall } from '../http/resource-routes.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { addOverrideOnce, swapDutyOnce, undoSwap } from '../operations/on-call/overrides.ts';
import { previewDuty } from '../operations/on-call/preview.ts';
import { getPeopleEntry } from '../operations/people/queries.ts';
import { getCivilTime } from '../operations/system/reference-time.ts';
import type { Store } from '../store/store.ts';
import { dateTimeText, parseDateTime } from '../wire/date-time.ts';
import { optionalId } from '../wire/entry.ts';
import { previewSchema, printCoverageWarnings, printPreview } from '../wire/on-call/duty.ts';
import { civilTime, overrideReason } from '../wire/on-call/override.ts';
import {
  printSchedule,
  readSchedule,
  scheduleBody,
  scheduleExample,
  scheduleSchema,
} from '../wire/on-call/schedule.ts';
import { idOf, idParams } from '../wire/paging.ts';
import { warningsHeader } from './alarms.ts';
import { idempotencyHeaders, makeOnce } from './make-once.ts';

type ScheduleParts = { readonly store: Store; readonly timeZone: string };

const tag = 'Schedules';
const params = idParams('schedule');
const dayMs = 86_400_000;
const shownDays = 28;
const longestPreviewDays = 92;

const previewBody = Type.Object(
  {
    schedule: scheduleBody,
    from: Type.Optional(dateTimeText({ description: 'The beginning of the period; not given: now.' })),
    to: Type.Optional(dateTimeText({ description: `The end of the period; not given: ${shownDays} days later.` })),
  },
  {
    title: 'SchedulePreviewBody',
    description: 'A schedule to look at.',
    examples: [{ schedule: scheduleExample }],
  },
);

const takeBody = Type.Object(
  {
    userId: optionalId('Who takes it, if not the caller.'),
    from: Type.Optional(civilTime),
    to: civilTime,
    reason: overrideReason,
  },
  {
    title: 'TakeDutyBody',
    description: 'Who takes the duty, and for how long.',
    examples: [{ to: '2099-11-20T08:00', reason: 'Ana is ill' }],
  },
);

const swapBody = Type.Object(
  {
    teamId: optionalId('Who takes the duty from `from` to `to`: a team,'),
    userId: optionalId('or one person; neither: whoever has the duty in the period of return.'),
    from: civilTime,
    to: civilTime,
    returnFrom: Type.Optional(civilTime),
    returnTo: Type.Optional(civilTime),
    reason: overrideReason,
  },
  {
    title: 'SwapDutyBody',
    description:
      'A period of duty that is given away, and one that is taken in return: whoever has the duty in the first has it in the second. Without a period of return it is given away only.',
    examples: [{ teamId: 1, from: '2099-11-20T08:00', to: '2099-11-21T08:00', reason: 'swap with A' }],
  },
);

export function scheduleRoutes(parts: ScheduleParts): Route[] {
  return [previewRoute(parts), takeRoute(parts), swapRoute(parts), undoSwapRoute(parts)];
}

/**
 * Lists gaps and overlaps of the coming weeks and entries that never apply in a response header, after other warnings; they are allowed, but seldom
 * intended.
 */
export async function warnOf(
  store: Store,
  schedule: Schedule,
  { now, setHeader }: Pick<ChangeCall, 'now' | 'setHeader'>,
  others: readonly string[] = [],
): Promise<void> {
  const problems = [...others, ...(await problemsOf(store, schedule, now))];
  if (problems.length > 0) setHeader(warningsHeader, problems.join('; '));
}

/** A schedule is saved also when the thread of computations has no room. */
async function problemsOf(store: Store, schedule: Schedule, now: number): Promise<readonly string[]> {
  try {
    const { warnings, unused } = await store.read(previewDuty, { schedule, from: now, to: now + shownDays * dayMs });
    return printCoverageWarnings(schedule, warnings, unused);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable')
      return ['gaps and overlaps could not be looked for now'];
    throw error;
  }
}

function previewRoute({ store, timeZone }: ScheduleParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/schedules/preview',
    scope: 'directory:read',
    tag,
    operationId: 'previewSchedule',
    summary: 'Preview a schedule',
    description: `Shows who would have the duty when, without saving it. Default: from now, for ${shownDays} days; at most ${longestPreviewDays}.`,
    body: previewBody,
    responses: { 200: previewSchema },
    refusals: [],
    handle: async ({ body, now }) => {
      const { overrides = [], ...fields } = readSchedule(body.schedule, timeZone);
      const schedule = { id: 0, ...fields, overrides };
      const from = instantOf(body.from, schedule.timeZone) ?? now;
      const to = instantOf(body.to, schedule.timeZone) ?? from + shownDays * dayMs;
      if (to <= from || to - from > longestPreviewDays * dayMs) {
        const message = `must be after from, by at most ${longestPreviewDays} days`;
        throw new AppError('invalid-input', `to ${message}.`, { errors: [{ field: 'to', message }] });
      }
      const { slots, warnings, unused } = await store.read(previewDuty, { schedule, from, to });
      return printPreview(schedule, slots, warnings, unused);
    },
  });
}

function instantOf(text: string | undefined, timeZone: string): number | undefined {
  return text === undefined ? undefined : parseDateTime(text, timeZone);
}

function takeRoute({ store }: ScheduleParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/schedules/:id/take',
    scope: 'alarms:ack',
    tag,
    operationId: 'takeDuty',
    summary: 'Take the duty',
    description: `From now, or from a future time, only the caller has the duty, and not for longer than the next ${mostTakenDays} days. Giving it to somebody else, or for longer, also needs the scope \`directory:write\`. The header \`Tocsin-Warnings\` says if the person is off duty or replaced, and so not called.`,
    params,
    headers: idempotencyHeaders,
    body: takeBody,
    responses: { 200: scheduleSchema },
    refusals: ['not-found'],
    handle: async ({ params: { id }, body, principal, request, now, setHeader }) => {
      const userId = takerOf(principal, body.userId || undefined);
      const caller = callerAt(principal, request);
      const known = await store.read(getPeopleEntry, { kind: 'schedule', id, caller });
      if (known === undefined) throw new AppError('not-found', `There is no schedule ${id}.`);
      const today = await store.read(getCivilTime, { now });
      const from = body.from ?? printMoment((known as Schedule).timeZone, today);
      const override = { teamId: undefined, userId, from, to: body.to, reason: body.reason ?? '', lock: false };
      const sent = { address: `schedules/${id}/take`, body };
      const input = { caller, id, override };
      if (!mayCause(principal, 'plan a duty')) refuseUnboundedTake(override, known as Schedule, today);
      const { schedule, warnings } = await makeOnce(store, addOverrideOnce, input, { principal, request }, sent);
      await warnOf(store, schedule, { now, setHeader }, warnings);
      return printSchedule(schedule);
    },
  });
}

function refuseUnboundedTake(override: Override, { timeZone }: Schedule, now: number): void {
  const problem = takeProblem(override, timeZone, now);
  if (problem !== undefined)
    throw new AppError('unprocessable', `${problem.field} ${problem.message}.`, { errors: [problem] });
}

function takerOf(principal: Principal, given: number | undefined): number {
  const self = principal.kind === 'user' ? principal.id : undefined;
  const userId = given ?? self;
  if (userId === undefined) {
    const message = 'must be given: an API key is nobody who could take the duty';
    throw new AppError('unprocessable', `userId ${message}.`, { errors: [{ field: 'userId', message }] });
  }
  if (userId === self || mayCause(principal, 'plan a duty')) return userId;
  throw new AppError('scope-missing', `To give the duty to somebody else needs ${neededFor('plan a duty')}.`);
}

function swapRoute({ store }: ScheduleParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/schedules/:id/swap',
    scope: 'directory:write',
    tag,
    operationId: 'swapDuty',
    summary: 'Swap the duty',
    description:
      'Trades two periods of duty by overrides that have the same `swapId`, by which they can be undone together. Each period must have one holder from beginning to end.',
    params,
    headers: idempotencyHeaders,
    body: swapBody,
    responses: { 200: scheduleSchema },
    refusals: ['not-found'],
    handle: async ({ params: { id }, body, principal, request, now, setHeader }) => {
      const { teamId, userId, from, to, reason = '' } = body;
      const inReturn = periodOfReturn(body.returnFrom, body.returnTo);
      const swap = { teamId: teamId || undefined, userId: userId || undefined, from, to, inReturn, reason };
      const input = { caller: callerAt(principal, request), id, swap };
      const sent = { address: `schedules/${id}/swap`, body };
      const { schedule, warnings } = await makeOnce(store, swapDutyOnce, input, { principal, request }, sent);
      await warnOf(store, schedule, { now, setHeader }, warnings);
      return printSchedule(schedule);
    },
  });
}

function periodOfReturn(from: string | undefined, to: string | undefined): Swap['inReturn'] {
  if (from !== undefined && to !== undefined) return { from, to };
  if (from === undefined && to === undefined) return undefined;
  const field = from === undefined ? 'returnFrom' : 'returnTo';
  const message = 'must be given too: a period of return has a beginning and an end';
  throw new AppError('invalid-input', `${field} ${message}.`, { errors: [{ field, message }] });
}

function undoSwapRoute({ store }: ScheduleParts): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/api/v1/schedules/:id/swaps/:swapId',
    scope: 'directory:write',
    tag,
    operationId: 'undoSwap',
    summary: 'Undo a swap',
    description: 'Removes the overrides of the swap.',
    params: Type.Object({ ...params.properties, swapId: idOf('swap', 3) }),
    responses: { 200: Type.Literal(true, { description: 'It is undone.' }) },
    refusals: ['not-found', 'unprocessable'],
    handle: async ({ params: { id, swapId }, principal, request }) => {
      await store.write(undoSwap, { caller: callerAt(principal, request), id, swapId });
      return true as const;
    },
  });
}
