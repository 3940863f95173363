// The JSON of the call policy.

import { type Static, Type } from 'typebox';
import { noRules, type PolicySettings, type PriorityRules, repeatingRules } from '../../domain/calls/call.ts';
import { offeredLanguages } from '../../domain/calls/words/catalogue.ts';
import { plainWording, type Wording } from '../../domain/calls/words/wording.ts';
import { AppError } from '../../errors.ts';
import { printUtcLocal } from '../date-time.ts';
import { idOrNull, lastChange, optionalId } from '../entry.ts';
import { idOf, uint } from '../paging.ts';

/** Without control characters and the private characters that mark what depends on the person. */
const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ue000-\\uf8ff]*$';
const mostPriorities = 100;
const minuteMs = 60_000;

const priority = uint({ minimum: 1, description: 'The priority; 1 is the most urgent.', examples: [1] });
const untilAcknowledged = {
  description: 'Whether people are called in new rounds until somebody acknowledges the alarm.',
  examples: [true],
};
const pause = {
  minimum: 10,
  maximum: 86_400,
  description: 'Seconds from a round of calls that nobody took to the next; doubled after each round.',
  examples: [noRules.pauseSeconds],
};
const longestPause = {
  ...pause,
  description: 'Seconds that the pause grows to at most.',
  examples: [noRules.longestPauseSeconds],
};
const timeToTake = {
  maximum: 86_400,
  description:
    'Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well, for groups that do not set it; 0: no limit.',
  examples: [repeatingRules.timeToTakeSeconds],
};
const endOnReturn = {
  description: 'Whether calls end when the alarm is back to normal; if not, only an acknowledgement ends them.',
  examples: [false],
};

const ackExpiryMinutes = {
  maximum: 10_080,
  description:
    'Minutes after which an acknowledgement expires if the alarm is still active: the alarm is then active and not acknowledged again, in the same occurrence, and is called. 0: never.',
  examples: [0],
};

const rulesSchema = Type.Object(
  {
    priority,
    untilAcknowledged: Type.Boolean(untilAcknowledged),
    pause: uint(pause),
    longestPause: uint(longestPause),
    timeToTake: uint(timeToTake),
    endOnReturn: Type.Boolean(endOnReturn),
    ackExpiryMinutes: uint(ackExpiryMinutes),
  },
  { title: 'PriorityRules', description: 'How alarms of one priority are called.' },
);

const rulesBody = Type.Object(
  {
    priority,
    untilAcknowledged: Type.Optional(Type.Boolean({ ...untilAcknowledged, default: noRules.untilAcknowledged })),
    pause: Type.Optional(uint({ ...pause, default: noRules.pauseSeconds })),
    longestPause: Type.Optional(
      uint({
        ...longestPause,
        description: `${longestPause.description} Not given: 1800, or \`pause\` if that is more.`,
      }),
    ),
    timeToTake: Type.Optional(
      uint({
        ...timeToTake,
        description: `${timeToTake.description} Not given: 900 if it is called until acknowledged, else 0.`,
      }),
    ),
    endOnReturn: Type.Optional(Type.Boolean({ ...endOnReturn, default: noRules.endOnReturn })),
    ackExpiryMinutes: Type.Optional(uint({ ...ackExpiryMinutes, default: noRules.ackExpiryMinutes })),
  },
  { title: 'PriorityRulesBody', description: 'How alarms of one priority are called.' },
);

const cap = (title: string) =>
  Type.Object(
    {
      attempts: uint({ minimum: 1, maximum: 9_999, description: 'How many attempts.', examples: [30] }),
      minutes: uint({ minimum: 1, maximum: 9_999, description: 'In how many minutes.', examples: [15] }),
    },
    { title, description: 'How many attempts one person gets at most in so many minutes, never for priority 1.' },
  );

const allowedPrefixes = Type.Array(Type.String({ pattern: '^\\+[1-9][0-9]{0,7}$' }), {
  maxItems: 300,
  description:
    'The prefixes of telephone numbers that may be called, such as `+33`; empty: all. Verified numbers of other countries are called for priority 1.',
  examples: [['+33', '+41']],
});
const dayLimit = (description: string) =>
  Type.Union([uint({ minimum: 1 }), Type.Null()], { description: `${description}; null: no limit.`, examples: [200] });
const tollFields = {
  allowedPrefixes,
  perPersonDay: dayLimit('The most calls and text messages a day to one person'),
  perCountryDay: dayLimit('The most calls and text messages a day to one country'),
  budgetDay: Type.Union([Type.Number({ minimum: 0, maximum: 1e12 }), Type.Null()], {
    description: 'The most that deliveries may cost a day, by the costs of their providers; null: no limit.',
    examples: [20],
  }),
};
const tollsText =
  'Limits against dear calls, by the day of the server. They never hold back priority 1; a system alarm warns at 80 % of the budget.';

const prioritiesText =
  'The rules by priority. Alarms of a priority that is not listed are called in one round, whatever becomes of them, without a limit of time to take them.';
const callAgain = {
  description: 'Whether people who have heard an alarm are called again for a new one.',
  examples: [true],
};
const lastResortText = 'The group that is called when nobody else is';

const handOverNotices = {
  description:
    'Whether people are told that they come on or go off duty by a schedule, at the first of their numbers that is written to.',
  examples: [false],
};
const siteName = {
  maxLength: 60,
  pattern: plainText,
  description: 'The name of the installation, by which a telephone call introduces itself; empty: calls say Tocsin.',
  examples: ['the waterworks'],
};
const defaultLanguage = {
  maxLength: 35,
  description: 'The language of people who have none, of those that are offered.',
  examples: ['en'],
};
const ownText = (description: string) => ({ maxLength: 160, pattern: plainText, description, examples: [''] });
const opening = ownText('Begins each written message but that of a pager, and is said before the greeting of a call.');
const closing = ownText('Ends each written message but that of a pager.');
const textsText = 'Texts of the installation itself by language, of those that are offered.';

/** So many people are named; the count has them all. */
const mostNamed = 100;
const onlyPriority1 = Type.Object(
  {
    count: uint({ description: 'How many people.', examples: [0] }),
    users: Type.Array(
      Type.Object(
        { userId: idOf('user'), user: Type.String({ description: 'Their name.', examples: ['ana'] }) },
        { title: 'PersonOutsideCountries', description: 'Somebody who is called for priority 1 alone.' },
      ),
      { description: `The first ${mostNamed} of them.`, examples: [[]] },
    ),
  },
  {
    title: 'OnlyPriority1',
    description:
      'People who have verified numbers, but none in a country of `tolls.allowedPrefixes`: they are called for priority 1 alone.',
  },
);

export const callPolicySchema = Type.Object(
  {
    priorities: Type.Array(rulesSchema, { description: prioritiesText }),
    callAgain: Type.Boolean(callAgain),
    cap: Type.Union([cap('CallCap'), Type.Null()], { description: 'The most attempts for one person; null: no cap.' }),
    tolls: Type.Object(tollFields, { title: 'TollLimits', description: tollsText }),
    onlyPriority1,
    lastResortGroupId: idOrNull(`${lastResortText}; null: all administrators, 0: a group of another station.`),
    handOverNotices: Type.Boolean(handOverNotices),
    siteName: Type.String(siteName),
    languages: Type.Array(Type.String(), {
      description: 'The languages that are offered.',
      examples: [offeredLanguages],
    }),
    defaultLanguage: Type.String(defaultLanguage),
    texts: Type.Record(
      Type.String(),
      Type.Object(
        { opening: Type.String(opening), closing: Type.String(closing) },
        { title: 'MessageTexts', description: 'Texts of the installation in one language; empty where there is none.' },
      ),
      { description: textsText },
    ),
    lastChange,
  },
  { title: 'CallPolicy', description: 'How people are called, on the whole installation.' },
);

export const callPolicyBody = Type.Object(
  {
    priorities: Type.Array(rulesBody, { description: prioritiesText, maxItems: mostPriorities }),
    callAgain: Type.Optional(Type.Boolean({ ...callAgain, default: true })),
    cap: Type.Optional(cap('CallCapBody')),
    tolls: Type.Optional(Type.Partial(Type.Object(tollFields), { title: 'TollLimitsBody', description: tollsText })),
    lastResortGroupId: optionalId(`${lastResortText}; it must exist and name somebody.`),
    handOverNotices: Type.Optional(Type.Boolean({ ...handOverNotices, default: false })),
    siteName: Type.Optional(Type.String({ ...siteName, default: '' })),
    defaultLanguage: Type.Optional(Type.String({ ...defaultLanguage, default: plainWording.defaultLanguage })),
    texts: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          { opening: Type.Optional(Type.String(opening)), closing: Type.Optional(Type.String(closing)) },
          { title: 'MessageTextsBody', description: 'Texts of the installation in one language.' },
        ),
        { maxProperties: 100, description: textsText },
      ),
    ),
  },
  {
    title: 'CallPolicyBody',
    description:
      'How people are called. Without `cap` there is no cap, without a last resort it is all administrators.',
    examples: [
      {
        priorities: [
          { priority: 1, untilAcknowledged: true, pause: 300, longestPause: 1800, timeToTake: 900, endOnReturn: false },
          { priority: 2, untilAcknowledged: true },
        ],
        callAgain: true,
        cap: { attempts: 30, minutes: 15 },
        siteName: 'the waterworks',
        defaultLanguage: 'en',
        texts: { en: { closing: 'Questions: +33123456789' } },
      },
    ],
  },
);

type PolicyBody = Static<typeof callPolicyBody>;

export function readCallPolicy(body: PolicyBody): PolicySettings {
  const priorities = body.priorities.map(readRules).sort((one, other) => one.priority - other.priority);
  const twice = priorities.find((rules, index) => priorities[index - 1]?.priority === rules.priority);
  if (twice !== undefined) throw unusable('priorities', `lists the priority ${twice.priority} twice`);
  return {
    priorities,
    callAgain: body.callAgain ?? true,
    cap: body.cap && { attempts: body.cap.attempts, windowMs: body.cap.minutes * minuteMs },
    tolls: {
      allowedPrefixes: body.tolls?.allowedPrefixes ?? [],
      perPersonDay: body.tolls?.perPersonDay ?? undefined,
      perCountryDay: body.tolls?.perCountryDay ?? undefined,
      budgetDay: body.tolls?.budgetDay ?? undefined,
    },
    lastResortGroupId: body.lastResortGroupId || undefined,
    wording: readWording(body),
    tellsHandOvers: body.handOverNotices ?? false,
  };
}

function readWording({
  siteName = '',
  defaultLanguage = plainWording.defaultLanguage,
  texts = {},
}: PolicyBody): Wording {
  refuseUnknownLanguage('defaultLanguage', defaultLanguage);
  for (const language of Object.keys(texts)) refuseUnknownLanguage(`texts.${language}`, language);
  const trimmed = Object.entries(texts).map(([language, { opening = '', closing = '' }]) => [
    language,
    { opening: opening.trim(), closing: closing.trim() },
  ]);
  return { siteName: siteName.trim(), defaultLanguage, texts: Object.fromEntries(trimmed) };
}

function refuseUnknownLanguage(field: string, language: string): void {
  if (!offeredLanguages.includes(language))
    throw unusable(field, `must be a language that is offered: ${offeredLanguages.join(', ')}`);
}

function readRules(body: Static<typeof rulesBody>, index: number): PriorityRules {
  const { untilAcknowledged: isRepeated = false, pause: pauseSeconds = noRules.pauseSeconds } = body;
  const defaults = isRepeated ? repeatingRules : noRules;
  const longestPauseSeconds = body.longestPause ?? Math.max(pauseSeconds, defaults.longestPauseSeconds);
  if (longestPauseSeconds < pauseSeconds)
    throw unusable(`priorities[${index}].longestPause`, 'must not be shorter than pause');
  return {
    priority: body.priority,
    untilAcknowledged: isRepeated,
    pauseSeconds,
    longestPauseSeconds,
    timeToTakeSeconds: body.timeToTake ?? defaults.timeToTakeSeconds,
    endOnReturn: body.endOnReturn ?? false,
    ackExpiryMinutes: body.ackExpiryMinutes ?? noRules.ackExpiryMinutes,
  };
}

function unusable(field: string, message: string): AppError {
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

type StoredPolicy = PolicySettings & { readonly lastChange: number };
type Named = { readonly id: number; readonly name: string };

/** `outside` are the people whom the policy leaves to priority 1. */
export function printCallPolicy(policy: StoredPolicy, outside: readonly Named[]): Static<typeof callPolicySchema> {
  return {
    priorities: policy.priorities.map((rules) => ({
      priority: rules.priority,
      untilAcknowledged: rules.untilAcknowledged,
      pause: rules.pauseSeconds,
      longestPause: rules.longestPauseSeconds,
      timeToTake: rules.timeToTakeSeconds,
      endOnReturn: rules.endOnReturn,
      ackExpiryMinutes: rules.ackExpiryMinutes,
    })),
    callAgain: policy.callAgain,
    cap: policy.cap === undefined ? null : { attempts: policy.cap.attempts, minutes: policy.cap.windowMs / minuteMs },
    tolls: {
      allowedPrefixes: [...policy.tolls.allowedPrefixes],
      perPersonDay: policy.tolls.perPersonDay ?? null,
      perCountryDay: policy.tolls.perCountryDay ?? null,
      budgetDay: policy.tolls.budgetDay ?? null,
    },
    onlyPriority1: {
      count: outside.length,
      users: outside.slice(0, mostNamed).map(({ id, name }) => ({ userId: id, user: name })),
    },
    lastResortGroupId: policy.lastResortGroupId ?? null,
    handOverNotices: policy.tellsHandOvers,
    siteName: policy.wording.siteName,
    languages: [...offeredLanguages],
    defaultLanguage: policy.wording.defaultLanguage,
    texts: policy.wording.texts,
    lastChange: printUtcLocal(policy.lastChange),
  };
}
