// On-call routes: who is on duty, who could not be reached, and duty calendars to subscribe to.

import { Type } from 'typebox';
import type { Principals } from '../access/principals.ts';
import { callerOf, mayUse, type Principal } from '../domain/access/access.ts';
import { calendarOf } from '../domain/on-call/ical.ts';
import { peopleKinds } from '../domain/people/entities.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { getDutyCalendar, getOnCall, getReadiness } from '../operations/on-call/queries.ts';
import type { Store } from '../store/store.ts';
import { dateTimeText, parseDateTime, printInstant } from '../wire/date-time.ts';
import { onCallSchema, printOnDuty, printReadiness, readinessSchema } from '../wire/on-call/on-call.ts';
import { idParams, text, uint } from '../wire/paging.ts';

type OnCallParts = { readonly store: Store; readonly principals: Principals; readonly timeZone: string };

const tag = 'On call';
const at = Type.Optional(dateTimeText({ description: 'At this time; not given: now.' }));
const dayMs = 86_400_000;
const [pastDays, comingDays] = [30, 90];

export function onCallRoutes(parts: OnCallParts): Route[] {
  return [
    onCallRoute(parts),
    readinessRoute(parts),
    calendarRoute(parts, 'callGroup', 'callgroups'),
    calendarRoute(parts, 'user', 'users'),
  ];
}

function onCallRoute({ store, timeZone }: OnCallParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/oncall',
    scope: 'directory:read',
    tag,
    operationId: 'getOnCall',
    summary: 'Who is on duty',
    description:
      'By call group, with the end of the duty and why others are passed over. For any time, past or future.',
    query: Type.Object({ at, callGroupId: Type.Optional(uint({ description: 'Only this group.' })) }),
    responses: { 200: onCallSchema },
    refusals: ['not-found'],
    handle: async ({ query: { at, callGroupId }, principal, now }) => {
      const instant = instantOf(at, timeZone, now);
      const found = await store.read(getOnCall, { caller: callerOf(principal), callGroupId, at: instant });
      if (found === undefined) throw new AppError('not-found', `There is no call group ${callGroupId}.`);
      return {
        at: printInstant(instant, timeZone),
        items: found.map(({ group, duty, userNames }) => printOnDuty(group, duty, userNames)),
      };
    },
  });
}

function readinessRoute({ store, timeZone }: OnCallParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/oncall/readiness',
    scope: 'directory:read',
    tag,
    operationId: 'getOnCallReadiness',
    summary: 'Who could not be reached',
    description: 'The call groups in which nobody is on duty, or somebody on duty has no usable number, with reasons.',
    query: Type.Object({ at }),
    responses: { 200: readinessSchema },
    refusals: [],
    handle: async ({ query: { at }, principal, now }) => {
      const instant = instantOf(at, timeZone, now);
      const found = await store.read(getReadiness, { caller: callerOf(principal), at: instant });
      return {
        at: printInstant(instant, timeZone),
        items: found.map(({ group, readiness }) => printReadiness(group, readiness)),
      };
    },
  });
}

function instantOf(text: string | undefined, timeZone: string, now: number): number {
  return text === undefined ? now : (parseDateTime(text, timeZone) ?? now);
}

/** Calendar programs cannot send an Authorization header, so the key is in the URL, which is never logged. */
function calendarRoute({ store, principals }: OnCallParts, of: 'callGroup' | 'user', path: string): Route {
  const { noun } = peopleKinds[of];
  return defineRoute({
    method: 'GET',
    path: `/api/v1/${path}/:id/calendar.ics`,
    scope: 'public',
    tag,
    operationId: of === 'user' ? 'getUserCalendar' : 'getCallGroupCalendar',
    summary: `The duty of a ${noun} as a calendar`,
    description: `iCalendar, the last ${pastDays} days and the next ${comingDays}. Instead of a header it takes an API key or token with the scope \`directory:read\` in \`key\`: give each subscriber a key of their own.`,
    params: idParams(noun),
    query: Type.Object({ key: text(1_024, { description: 'An API key or access token.', examples: ['an API key'] }) }),
    contentType: 'text/calendar; charset=utf-8',
    responses: { 200: Type.String({ description: 'The calendar.' }) },
    refusals: ['not-signed-in', 'scope-missing', 'not-found'],
    handle: async ({ params: { id }, query: { key }, now }) => {
      const caller = callerOf(subscriber(await principals.holderOf(key)));
      const period = { from: now - pastDays * dayMs, to: now + comingDays * dayMs };
      const found = await store.read(getDutyCalendar, { of, id, caller, ...period });
      if (found === undefined) throw new AppError('not-found', `There is no ${noun} ${id}.`);
      return calendarOf({ ...found, stamp: now });
    },
  });
}

function subscriber(holder: Principal | undefined): Principal {
  if (holder === undefined) throw new AppError('not-signed-in', 'Give a valid API key or token as `key`.');
  if (mayUse(holder, 'directory:read')) return holder;
  throw new AppError('scope-missing', 'This needs the scope directory:read, which the key does not have.');
}
