// Explains calls: who is or would be called for an alarm, when, why, and why others are not.

import type { IncomingHttpHeaders } from 'node:http';
import { type Static, Type } from 'typebox';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { mayCause } from '../domain/access/effects.ts';
import { defaultPriority, emptyDefinition } from '../domain/alarms/definition.ts';
import { hideAddress } from '../domain/people/hidden-address.ts';
import { defaultStationId } from '../domain/plant/entities.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { type Explained, type Explanation, explainCalls } from '../operations/calls/views/explain.ts';
import type { Store } from '../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
import { alarmCreationSchema, readAlarmCreation } from '../wire/alarms/alarm-creation.ts';
import { callHistorySchema, printCallHistory } from '../wire/calls/call.ts';
import { printReason, reasonCode } from '../wire/calls/reason.ts';
import { dateTimeText, instantText, parseDateTime, printInstant } from '../wire/date-time.ts';
import { choice, idOf, idParams, uint } from '../wire/paging.ts';

const tag = 'Calls';
const weekHours = 168;
const dayHours = 24;
const hourMs = 3_600_000;

const query = Type.Object({
  at: Type.Optional(
    dateTimeText({
      description:
        'Assume that the alarm is raised at this time, past or future, with nothing else going on. Not given: now, beginning from the calls under way, turns, throttles and locks.',
    }),
  ),
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: weekHours, default: dayHours, description: 'How far to look ahead.' }),
  ),
});

const who = { userId: idOf('user'), user: Type.String({ description: 'Their name.', examples: ['ana'] }) };

const step = Type.Object(
  {
    time: instantText('When it would happen.'),
    what: choice(
      [
        ['attempt', 'a person is called, or sent a text'],
        ['round', 'calling begins, or begins again'],
        ['level', 'the next people are called'],
        ['held', 'a limit of the day holds somebody back'],
        ['nobody', 'nobody can be called'],
        ['exhausted', 'everybody was called, and nobody took it'],
        ['done', 'nothing more is done'],
      ],
      { description: 'What happens.' },
    ),
    userId: Type.Optional(who.userId),
    user: Type.Optional(who.user),
    callGroupId: Type.Optional(idOf('group that is called')),
    channel: Type.Optional(Type.String({ description: 'The way of reaching them.', examples: ['voice'] })),
    address: Type.Optional(Type.String({ description: 'The number; without `directory:read` only its end.' })),
    reason: Type.String({ description: 'Why, in the language of `Accept-Language`.' }),
    reasonCode,
  },
  { title: 'ForecastStep', description: 'Something that would happen if nobody answered.' },
);

const notCalled = Type.Object(
  {
    ...who,
    reason: Type.String({ description: 'Why not, in the language of `Accept-Language`.' }),
    code: choice(
      [
        ['replaced', 'another user stands in for them'],
        ['off-duty', 'they are off duty'],
        ['person-missing', 'they are not in the directory'],
        ['team-missing', 'a team is not in the directory'],
        ['without-number', 'no number of theirs can be called then'],
        ['relief-not-due', 'they are relief, and the turn did not come to them'],
        ['not-on-duty', 'others have the duty'],
      ],
      { description: 'The reason.' },
    ),
  },
  { title: 'PersonNotCalled', description: 'Somebody who would not be called.' },
);

const explainedCall = Type.Object(
  {
    callGroupId: Type.Optional(idOf('group, for a call of one')),
    userId: Type.Optional(idOf('user, for a call of one')),
    name: Type.String({ description: 'The name of the group or person, or the last resort.' }),
    time: instantText('When calling begins.'),
    steps: Type.Array(step, { description: 'What would happen if nobody answered.' }),
    more: Type.Boolean({ description: 'Whether calling would continue beyond what is shown.' }),
    notCalled: Type.Array(notCalled, { description: 'Who would not be called, and why.' }),
  },
  { title: 'ForecastCall', description: 'A call that would be made.' },
);

const stopped = Type.Object(
  {
    at: instantText('Up to when the forecast is complete.'),
    limit: choice(
      [
        ['steps', 'too many steps'],
        ['people', 'too many people'],
        ['time', 'too long a computation'],
      ],
      { description: 'What ended it.' },
    ),
  },
  {
    title: 'ForecastStop',
    description:
      'Given when the forecast was ended by a limit of work: it is complete up to `at`. Ask for fewer hours or actions.',
  },
);

const inert = Type.Object(
  {
    type: Type.String({ description: 'The type of the action.', examples: ['CallGroup'] }),
    id: uint({ description: 'What it names.', examples: [1] }),
    reason: Type.String({ description: 'Why it has no effect, in the language of `Accept-Language`.' }),
    code: choice(
      [
        ['call-group', 'the call group does not exist'],
        ['user', 'the user does not exist'],
        ['media', 'the sound does not exist'],
        ['command', 'the script cannot be run'],
        ['action-type', 'there is no such action'],
      ],
      { description: 'The reason.' },
    ),
  },
  { title: 'InertAction', description: 'An action without effect.' },
);

const explanationSchema = Type.Object(
  {
    at: instantText('The time at which the alarm is assumed to be raised.'),
    masked: Type.Boolean({ description: 'Whether the alarm is masked now: then nobody is called.' }),
    calls: Type.Array(explainedCall, { description: 'The calls that would be made.' }),
    stopped: Type.Optional(stopped),
    made: Type.Array(callHistorySchema, { description: 'The attempts made for the alarm so far, with the reasons.' }),
    inert: Type.Array(inert, { description: 'The actions without effect.' }),
  },
  { title: 'Explanation', description: 'Whom an alarm calls, when and why.' },
);

type Asked = {
  readonly query: Static<typeof query>;
  readonly principal: Principal;
  readonly request: { readonly headers: IncomingHttpHeaders };
  readonly now: number;
};

type ExplainParts = { readonly store: Store; readonly timeZone: string };

export function explainCallsRoutes({ store, timeZone }: ExplainParts): Route[] {
  const shared = {
    scope: 'calls:read',
    tag,
    query,
    headers: sentenceHeaders,
    responses: { 200: explanationSchema },
  } as const;
  const explain = async (what: Explained, { query: given, principal, request, now }: Asked) => {
    const at = (given.at === undefined ? undefined : parseDateTime(given.at, timeZone)) ?? now;
    const until = at + (given.hours ?? dayHours) * hourMs;
    const isNow = given.at === undefined;
    const language = sentenceLanguage(request.headers['accept-language']);
    const found = await store.read(explainCalls, { caller: callerOf(principal), what, at, isNow, until, language });
    return found && printExplanation(found, at, { timeZone, showsAddress: mayCause(principal, 'see an address') });
  };
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/api/v1/alarms/:id/explain',
      operationId: 'explainAlarm',
      summary: 'Explain whom an alarm calls',
      description:
        'Computed by the same code that makes calls: what will happen if nobody answers. An alarm that calls nobody at the moment is explained as if its condition held from then on, so that its `alarmDelay` counts.',
      params: idParams('alarm'),
      refusals: ['not-found'],
      handle: async (asked) => {
        const { id } = asked.params;
        const found = await explain({ kind: 'alarm', id }, asked);
        if (found === undefined) throw new AppError('not-found', `There is no alarm ${id}.`);
        return found;
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/api/v1/explain',
      operationId: 'explainNewAlarm',
      summary: 'Explain whom an alarm would call',
      description:
        'For an alarm that does not exist: the body is the same as for creating an alarm, and nothing is stored.',
      body: alarmCreationSchema,
      refusals: [],
      handle: async (asked) => {
        const { definition, stationId = defaultStationId, tagGroupId, priority } = readAlarmCreation(asked.body);
        const actions = definition.alarm?.actions ?? emptyDefinition.alarm.actions;
        const alarmDelay = definition.alarmDelay ?? emptyDefinition.alarmDelay;
        const rest = { priority: priority ?? defaultPriority, alarmDelay, actions };
        const draft = { kind: 'draft', stationId, tagGroupId, ...rest } as const;
        const found = await explain(draft, asked);
        if (found === undefined) throw unknownStation(stationId);
        return found;
      },
    }),
  ];
}

function unknownStation(stationId: number): AppError {
  const message = `names station ${stationId}, which does not exist`;
  return new AppError('unprocessable', `stationId ${message}.`, { errors: [{ field: 'stationId', message }] });
}

type Printing = { readonly timeZone: string; readonly showsAddress: boolean };

/** Printed before other requests are handled again: about 5 ms of work. */
const stepsPerSlice = 1_000;

async function printExplanation(
  { calls, inert, names, masked, made, stopped }: Explanation,
  at: number,
  { timeZone, showsAddress }: Printing,
): Promise<Static<typeof explanationSchema>> {
  const time = (instant: number): string => printInstant(instant, timeZone);
  const printed: Static<typeof explanationSchema>['calls'] = [];
  let sinceTurn = 0;
  for (const call of calls) {
    printed.push(printCall(call, names, { timeZone, showsAddress }));
    sinceTurn += call.steps.length + call.notCalled.length;
    if (sinceTurn < stepsPerSlice) continue;
    sinceTurn = 0;
    await new Promise(setImmediate);
  }
  return {
    at: time(at),
    masked,
    calls: printed,
    ...(stopped === undefined ? {} : { stopped: { at: time(stopped.at), limit: stopped.limit } }),
    made: made.map((attempt) => printCallHistory(attempt, { timeZone, showsAddress })),
    inert: inert.map(({ action: { type, id }, reason, code }) => ({ type, id, reason, code })),
  };
}

function printCall(
  { target, targetName, at, steps, isCut, notCalled }: Explanation['calls'][number],
  names: Explanation['names'],
  { timeZone, showsAddress }: Printing,
): Static<typeof explanationSchema>['calls'][number] {
  const time = (instant: number): string => printInstant(instant, timeZone);
  return {
    ...(target.kind === 'group' ? { callGroupId: target.id } : {}),
    ...(target.kind === 'user' ? { userId: target.id } : {}),
    name: targetName,
    time: time(at),
    steps: steps.map((step) => ({
      time: time(step.at),
      what: step.what,
      ...(step.userId === undefined ? {} : { userId: step.userId, user: names[step.userId] ?? '' }),
      ...(step.groupId === undefined ? {} : { callGroupId: step.groupId }),
      ...(step.channel === undefined ? {} : { channel: step.channel }),
      ...(step.address === undefined ? {} : { address: showsAddress ? step.address : hideAddress(step.address) }),
      ...printReason(step),
    })),
    more: isCut,
    notCalled: notCalled.map(({ userId, reason: { code, sentence } }) => ({
      userId,
      user: names[userId] ?? '',
      reason: sentence,
      code,
    })),
  };
}
