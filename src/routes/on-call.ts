// On-call routes: who is on duty, who could not be reached, and duty calendars to subscribe to.

import { Type } from 'typebox';
import type { Principals } from '../access/principals.ts';
import { callerOf, mayUse, type Principal } from '../domain/access/access.ts';
import { calendarOf } from '../domain/on-call/ical.ts';
import { peopleKinds } from '../domain/people/entities.ts';
import { AppError } from '../errors.ts';
import { bearerToken } from '../http/requests/request-token.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { bindCalendarKey, getCalendarOfKey } from '../operations/access/calendar-keys.ts';
import { getDutyCalendar, getOnCall, getOnCallSlots, getReadiness } from '../operations/on-call/queries.ts';
import { getCivilTime } from '../operations/system/reference-time.ts';
import type { Store } from '../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
import { dateTimeText, parseDateTime, printInstant } from '../wire/date-time.ts';
import {
  onCallSchema,
  onCallSlotsSchema,
  printOnDuty,
  printReadiness,
  printSlots,
  readinessSchema,
} from '../wire/on-call/on-call.ts';
import { idParams, text, uint } from '../wire/paging.ts';

type OnCallParts = { readonly store: Store; readonly principals: Principals; readonly timeZone: string };

const tag = 'On call';
const at = Type.Optional(dateTimeText({ description: 'At this time; not given: now.' }));
const dayMs = 86_400_000;
const [pastDays, comingDays] = [30, 90];
const readinessDays = 14;
const [usualSlotDays, mostSlotDays] = [7, 92];

export function onCallRoutes(parts: OnCallParts): Route[] {
  return [
    onCallRoute(parts),
    slotsRoute(parts),
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
    headers: sentenceHeaders,
    responses: { 200: onCallSchema },
    refusals: ['not-found'],
    handle: async ({ query: { at, callGroupId }, principal, request, now }) => {
      const instant = instantOf(at, timeZone, await store.read(getCivilTime, { now }));
      const language = sentenceLanguage(request.headers['accept-language']);
      const found = await store.read(getOnCall, { caller: callerOf(principal), callGroupId, at: instant, language });
      if (found === undefined) throw new AppError('not-found', `There is no call group ${callGroupId}.`);
      return {
        at: printInstant(instant, timeZone),
        items: found.map(({ group, duty, userNames }) => printOnDuty(group, duty, userNames)),
      };
    },
  });
}

function slotsRoute({ store, timeZone }: OnCallParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/oncall/slots',
    scope: 'directory:read',
    tag,
    operationId: 'listOnCallSlots',
    summary: 'Who is on duty when',
    description: `By call group, for each span between two hand-overs, with the entry of the schedule by which it is so, and times that two entries claim. At most ${mostSlotDays} days. Who is off duty or replaced is taken as it is now.`,
    query: Type.Object({
      from: Type.Optional(dateTimeText({ description: 'The beginning of the period; not given: now.' })),
      to: Type.Optional(
        dateTimeText({ description: `The end of the period; not given: ${usualSlotDays} days later.` }),
      ),
      callGroupId: Type.Optional(uint({ description: 'Only this group.' })),
    }),
    headers: sentenceHeaders,
    responses: { 200: onCallSlotsSchema },
    refusals: ['not-found'],
    handle: async ({ query, principal, request, now }) => {
      const from = instantOf(query.from, timeZone, await store.read(getCivilTime, { now }));
      const to = instantOf(query.to, timeZone, from + usualSlotDays * dayMs);
      if (to <= from || to - from > mostSlotDays * dayMs) {
        const message = `must be after from, by at most ${mostSlotDays} days`;
        throw new AppError('invalid-input', `to ${message}.`, { errors: [{ field: 'to', message }] });
      }
      const { callGroupId } = query;
      const language = sentenceLanguage(request.headers['accept-language']);
      const caller = callerOf(principal);
      const found = await store.read(getOnCallSlots, { caller, callGroupId, from, to, language });
      if (found === undefined) throw new AppError('not-found', `There is no call group ${callGroupId}.`);
      return {
        from: printInstant(from, timeZone),
        to: printInstant(to, timeZone),
        items: found.groups.map(({ group, userNames, ...plan }) => printSlots(group, plan, userNames)),
        hasMore: found.hasMore,
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
    description:
      'The call groups in which nobody is on duty, or somebody on duty has no usable number, with reasons, at a time and in the 14 days after it. A relief group that would ring counts.',
    query: Type.Object({ at }),
    headers: sentenceHeaders,
    responses: { 200: readinessSchema },
    refusals: [],
    handle: async ({ query: { at }, principal, request, now }) => {
      const instant = instantOf(at, timeZone, await store.read(getCivilTime, { now }));
      const to = instant + readinessDays * dayMs;
      const language = sentenceLanguage(request.headers['accept-language']);
      const caller = callerOf(principal);
      const { groups, hasMore } = await store.read(getReadiness, { caller, at: instant, to, now, language });
      return {
        at: printInstant(instant, timeZone),
        items: groups.map(({ group, readiness, ahead, userNames }) =>
          printReadiness(group, readiness, ahead, { timeZone, userNames }),
        ),
        hasMore,
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
    description: `iCalendar, the last ${pastDays} days and the next ${comingDays}. Instead of a header with a token that has the scope \`calendar:read\` it takes an API key in \`key\` that has this scope alone, and that opens, in a header too, only the calendar that was read with it first: an address that leaks shows nothing but this duty, without the reasons of overrides. Give each subscriber a key of their own.`,
    params: idParams(noun),
    query: Type.Object({
      key: Type.Optional(text(1_024, { description: 'An API key with the scope `calendar:read` and no other.' })),
    }),
    contentType: 'text/calendar; charset=utf-8',
    responses: { 200: Type.String({ description: 'The calendar.' }) },
    refusals: ['not-signed-in', 'scope-missing', 'not-found'],
    handle: async ({ params: { id }, query: { key }, request, now }) => {
      const token = key ?? bearerToken(request.headers.authorization);
      const holder = token === undefined ? undefined : await principals.holderOf(token);
      const reader = subscriber(holder, key !== undefined);
      const caller = callerOf(reader);
      const period = { from: now - pastDays * dayMs, to: now + comingDays * dayMs, now };
      const found = await store.read(getDutyCalendar, { of, id, caller, ...period });
      if (found === undefined) throw new AppError('not-found', `There is no ${noun} ${id}.`);
      if (!opensOneCalendar(reader)) return calendarOf({ ...found, stamp: now });
      await refuseOtherCalendar(store, reader.id, `${path}/${id}`);
      // Why somebody has the duty, such as an illness, is not for whoever an address was passed on to.
      const events = found.events.map((event) => ({ ...event, description: '' }));
      return calendarOf({ ...found, events, stamp: now });
    },
  });
}

/** Whether the principal is the key of an address. Whoever an address leaks to can also send its key in a header. */
function opensOneCalendar({ kind, scopes }: Principal): boolean {
  return kind === 'key' && scopes.length === 1 && scopes[0] === 'calendar:read';
}

/** An address opens its own calendar alone. */
async function refuseOtherCalendar(store: Store, keyId: number, calendar: string): Promise<void> {
  const known = await store.read(getCalendarOfKey, { keyId });
  const own = known ?? (await store.write(bindCalendarKey, { keyId, calendar }));
  if (own !== calendar)
    throw new AppError('scope-missing', 'This key is that of another calendar: make a key for each calendar.');
}

/** An address is passed on and kept in many places, so what it contains must open nothing but calendars. */
function subscriber(holder: Principal | undefined, isInAddress: boolean): Principal {
  if (holder === undefined) throw new AppError('not-signed-in', 'Give an API key for calendars as `key`.');
  if (!mayUse(holder, 'calendar:read'))
    throw new AppError('scope-missing', 'This needs the scope calendar:read, which the key does not have.');
  if (!isInAddress || opensOneCalendar(holder)) return holder;
  throw new AppError(
    'scope-missing',
    'In an address only an API key with the scope calendar:read and no other is taken.',
  );
}
