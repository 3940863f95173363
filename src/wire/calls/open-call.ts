// The JSON of a call that is running or waiting.

import { type Static, Type } from 'typebox';
import { instantText, printInstant } from '../date-time.ts';
import { choice, uint } from '../paging.ts';
import { printReason, reasonCode, type WordedReason } from './reason.ts';

const causeSchema = Type.Object(
  {
    cause: choice(
      [
        ['alarm', 'an alarm'],
        ['message', 'a request to call people'],
        ['test', 'a test call or a drill'],
        ['followUp', 'news of an alarm: somebody took it, or it is back to normal'],
        ['handOver', 'that somebody comes on or goes off duty'],
      ],
      { description: 'What it is.' },
    ),
    alarmId: Type.Optional(uint({ description: 'The alarm.' })),
    priority: uint({ description: '1 is the most urgent.', examples: [1] }),
    text: Type.String({ description: 'What people are told.', examples: ['Pump 7 is too hot'] }),
    time: instantText('Since when it is called for.'),
  },
  { title: 'CallCause', description: 'Why people are called.' },
);

const personSchema = Type.Object(
  {
    userId: uint({ description: 'The user; 0: of another station.', examples: [1] }),
    user: Type.String({ description: 'The name of the user.', examples: ['ana'] }),
    callGroupId: Type.Optional(uint({ description: 'The group they are called for.' })),
    relief: Type.Boolean({ description: 'Whether they are called as relief.' }),
    notice: Type.Boolean({ description: 'Whether they only get notices, at a number that is not final.' }),
    step: choice(
      [
        ['calling', 'an attempt is due or under way'],
        ['retrying', 'waits for the next try'],
        ['callBack', 'asked to be called later'],
        ['gathering', 'further alarms are gathered for the next notice'],
        ['reached', 'reached, and asked to answer'],
        ['lineInUse', 'waits until another call has ended'],
        ['noLine', 'waits for a free line'],
        ['limited', 'a toll limit of the day is reached'],
        ['channelDown', 'no provider of the channel works; called when one does again'],
        ['throttled', 'waits because of the cap'],
        ['heard', 'has heard it'],
        ['declined', 'has declined it'],
        ['failed', 'was not reached, or did not answer'],
        ['notified', 'has the notice'],
      ],
      { description: 'Where the calling of this person stands.' },
    ),
    channel: Type.Optional(Type.String({ description: 'The way of reaching them.', examples: ['voice'] })),
    provider: Type.Optional(
      Type.String({ description: 'The provider that carries the attempt under way.', examples: ['PBX north'] }),
    ),
    attempt: Type.Optional(
      Type.String({ description: 'Which attempt at this number of how many.', examples: ['2/3'] }),
    ),
    nextTime: Type.Optional(instantText('When something happens next, if nothing does before.')),
    reason: Type.String({
      description: 'Why, in the language of `Accept-Language`.',
      examples: ['the alarm was raised'],
    }),
    reasonCode,
  },
  { title: 'PersonInCall', description: 'A person in a call.' },
);

export const openCallSchema = Type.Object(
  {
    id: uint({
      description: 'The id of the call; 0: it has not begun yet and waits for the delay of an action.',
      examples: [1],
    }),
    callGroupId: Type.Optional(uint({ description: 'The group that is called; 0: of another station.' })),
    userId: Type.Optional(uint({ description: 'The user who is called by name; 0: of another station.' })),
    name: Type.String({ description: 'The name of the group or user, or of the last resort.', examples: ['Pumps'] }),
    phase: choice(
      [
        ['calling', 'people are being called'],
        ['waiting', 'nobody can be called at present'],
        ['pausing', 'between two rounds'],
        ['ended', 'nobody is called any more'],
      ],
      { description: 'What the call is doing; only the hub sends calls that have ended.' },
    ),
    round: uint({ description: 'How often the call has started from the beginning.', examples: [1] }),
    startTime: instantText('When it began or, before that, when it was asked for.'),
    causes: Type.Array(causeSchema, { description: 'The ten most urgent causes.' }),
    causeCount: uint({ description: 'How many causes there are.', examples: [1] }),
    people: Type.Array(personSchema, { description: 'The people of this round.' }),
    next: Type.Optional(
      Type.Object(
        {
          step: choice(
            [
              ['start', 'the call begins after its delay'],
              ['attempt', 'an attempt or a step of a person'],
              ['level', 'the relief is called although this level goes on'],
              ['round', 'the next round begins'],
              ['duty', 'somebody is looked for who is on duty'],
            ],
            { description: 'What happens.' },
          ),
          time: Type.Optional(instantText('When; not given while an attempt is due or under way.')),
        },
        { title: 'NextCallStep', description: 'What happens next if nothing does before.' },
      ),
    ),
    reason: Type.String({
      description: 'Why it is in this phase, in the language of `Accept-Language`.',
      examples: ['the alarm was raised'],
    }),
    reasonCode,
  },
  { title: 'OpenCall', description: 'A call that is running or waiting.' },
);

export type OpenCallJson = Static<typeof openCallSchema>;
type PersonJson = Static<typeof personSchema>;

/** The fields that are printed as they are stored. */
type PersonView = {
  readonly userId: number;
  readonly name: string;
  readonly groupId: number | undefined;
  readonly isRelief: boolean;
  readonly isNotice: boolean;
  readonly step: PersonJson['step'];
  readonly channel: string | undefined;
  readonly provider: string | undefined;
  readonly attempt: { readonly number: number; readonly of: number } | undefined;
  readonly nextAt: number | undefined;
} & WordedReason;

export type OpenCallView = {
  readonly id: number;
  readonly target: { readonly kind: 'group' | 'user' | 'last-resort' | 'number'; readonly id: number };
  readonly targetName: string;
  readonly phase: OpenCallJson['phase'];
  readonly round: number;
  readonly startedAt: number;
  readonly next:
    | { readonly step: NonNullable<OpenCallJson['next']>['step']; readonly at: number | undefined }
    | undefined;
  readonly causes: readonly {
    readonly kind: string;
    readonly alarmId: number | undefined;
    readonly priority: number;
    readonly text: string;
    readonly since: number;
  }[];
  readonly causeCount: number;
  readonly people: readonly PersonView[];
} & WordedReason;

export function printOpenCall(call: OpenCallView, timeZone: string): OpenCallJson {
  const { target, next } = call;
  return {
    id: call.id,
    ...(target.kind === 'group' ? { callGroupId: target.id } : {}),
    ...(target.kind === 'user' ? { userId: target.id } : {}),
    name: call.targetName,
    phase: call.phase,
    round: call.round,
    startTime: printInstant(call.startedAt, timeZone),
    causes: call.causes.map(({ kind, alarmId, priority, text, since }) => ({
      cause: kind as OpenCallJson['causes'][number]['cause'],
      ...(alarmId === undefined ? {} : { alarmId }),
      priority,
      text,
      time: printInstant(since, timeZone),
    })),
    causeCount: call.causeCount,
    people: call.people.map((person) => printPerson(person, timeZone)),
    ...(next === undefined ? {} : { next: { step: next.step, ...timeOf('time', next.at, timeZone) } }),
    ...printReason(call),
  };
}

function printPerson(person: PersonView, timeZone: string): PersonJson {
  const { groupId, channel, provider, attempt } = person;
  return {
    userId: person.userId,
    user: person.name,
    ...(groupId === undefined ? {} : { callGroupId: groupId }),
    relief: person.isRelief,
    notice: person.isNotice,
    step: person.step,
    ...(channel === undefined ? {} : { channel }),
    ...(provider === undefined ? {} : { provider }),
    ...(attempt === undefined ? {} : { attempt: `${attempt.number}/${attempt.of}` }),
    ...timeOf('nextTime', person.nextAt, timeZone),
    ...printReason(person),
  };
}

function timeOf<K extends string>(name: K, at: number | undefined, timeZone: string): { [N in K]?: string } {
  return at === undefined ? {} : ({ [name]: printInstant(at, timeZone) } as { [N in K]: string });
}
