// The JSON of users. Password and PIN are accepted but never returned.

import { type Static, Type } from 'typebox';
import { type Role, roles } from '../../domain/access/access.ts';
import { isSpoken } from '../../domain/calls/delivery.ts';
import { storedAddress } from '../../domain/people/address-check.ts';
import {
  channelNames,
  defaultNumber,
  type Identity,
  type Stored,
  type User,
  type UserFields,
} from '../../domain/people/entities.ts';
import type { ContactNumber } from '../../domain/people/person.ts';
import { AppError } from '../../errors.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idList, idOrNull, lastChange, optionalId } from '../entry.ts';
import { knownLanguage, knownTimeZone, languageText, timeZoneText } from '../locale.ts';
import { choice, idOf, optionalText, uint } from '../paging.ts';

const daySeconds = 86_400;
const maxNumbers = 100;

const flag = (description: string) => Type.Boolean({ description });
const channelMeanings: Readonly<Record<(typeof channelNames)[number], string>> = {
  voice: 'a telephone call',
  sms: 'a text message',
  email: 'a mail',
  webhook: 'a request to a URL',
  push: 'a notification of an app',
  pager: 'a pager',
  simulator: 'a simulated phone',
};
const channel = choice(
  channelNames.map((channelName) => [channelName, channelMeanings[channelName]] as const),
  { title: 'Channel', description: 'How the person is reached.', examples: ['voice'] },
);
const address = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  description: 'A telephone number, an e-mail address or a URL, depending on the channel.',
  examples: ['+33123456789'],
});
const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const numberFields = {
  valid: flag('Otherwise it is passed over.'),
  verified: flag('Somebody was reached there.'),
  final: flag(
    'It rings until the call is acknowledged; otherwise it gets a notice of each alarm the user is called for.',
  ),
  countTry: whole(1, 100, 'How often it is tried before the next number.'),
  timeToRetry: whole(0, daySeconds, 'Seconds between two tries.'),
  countAck: whole(0, 100, 'How often it is repeated when nobody acknowledged.'),
  timeToAck: whole(0, daySeconds, 'Seconds to wait for the acknowledgement.'),
  ackAutoDefault: whole(0, 1, '1: being reached counts as acknowledged, as with a pager.'),
};

const priority = uint({ description: 'A priority; 1 is the most urgent.', minimum: 1, examples: [1] });
const priorityRange = (title: string) =>
  Type.Object(
    { from: priority, to: priority },
    { title, description: 'The alarms a number is used for: the most and the least urgent priority, both included.' },
  );

const taken = { description: 'That somebody else took the alarm, and who.', examples: [false] };
const back = { description: 'That the alarm is back to normal.', examples: [false] };
const followUpsText =
  'What the number is told about alarms that the user was called for. Only numbers that are written to can have follow-ups.';
const followUpsSchema = Type.Object(
  { taken: Type.Boolean(taken), back: Type.Boolean(back) },
  { title: 'FollowUps', description: followUpsText },
);
const followUpsBody = Type.Object(
  {
    taken: Type.Optional(Type.Boolean({ ...taken, default: false })),
    back: Type.Optional(Type.Boolean({ ...back, default: false })),
  },
  { title: 'FollowUpsBody', description: followUpsText },
);

const numberSchema = Type.Object(
  {
    id: idOf('number'),
    channel,
    address,
    ...numberFields,
    scheduleId: idOrNull('When it may be used; null: always.'),
    priorities: Type.Union([priorityRange('PriorityRange'), Type.Null()], {
      description: 'The alarms it is used for; null: all.',
    }),
    followUps: followUpsSchema,
  },
  { title: 'ContactNumber', description: 'A way to reach a user.' },
);

const numberBody = Type.Object(
  {
    id: Type.Optional(
      uint({ description: 'The id of the existing number that this one replaces; any other id is ignored.' }),
    ),
    channel,
    address,
    ...Type.Partial(Type.Object(numberFields)).properties,
    scheduleId: optionalId('When it may be used.'),
    priorities: Type.Optional(priorityRange('PriorityRangeBody')),
    followUps: Type.Optional(followUpsBody),
  },
  { title: 'ContactNumberBody', description: 'A way to reach a user.' },
);

const identity = Type.Object(
  {
    kind: choice(
      [
        ['email', 'a mail account'],
        ['chat', 'an account of a chat'],
      ] satisfies [Identity['kind'], string][],
      { description: 'What it is.' },
    ),
    address: Type.String({ ...address, description: 'The account.', examples: ['ana@example.org'] }),
  },
  { title: 'Identity', description: 'An account that answers of the user may come from; nobody else has it.' },
);
const identitiesText = 'The accounts that answers of the user may come from, besides their numbers.';

const roleMeanings: Readonly<Record<Role, string>> = {
  administrator: 'everything',
  supervisor: 'as operator, and changes of people, groups and schedules, and the journal',
  operator: 'alarms, calls and histories',
  observer: 'reading',
  source: 'sending alarms',
};
export const role = choice(
  (Object.keys(roles) as Role[]).map((roleName) => [roleName, roleMeanings[roleName]] as const),
  { title: 'Role', description: 'What the user may do.', examples: ['operator'] },
);
const texts = {
  firstName: 'The first name.',
  lastName: 'The last name.',
  displayName: 'How the user is named where people read it; without one, first and last name, else the name.',
  language: 'The language of what is said and written to the user.',
  timeZone: 'The time zone of the user.',
  status: 'A number that clients of the interface keep for the user; it has no effect.',
  onDuty: 'Otherwise nobody calls the user, in any group.',
  virtual: 'No person but something that is called like one.',
};
const name = entryName('ana');
const stationIds = idList('The stations the user is bound to; empty means all.');

export const userSchema = Type.Object(
  {
    id: idOf('user'),
    name,
    firstName: Type.String({ description: `${texts.firstName} Empty when there is none.`, examples: ['Ana'] }),
    lastName: Type.String({ description: `${texts.lastName} Empty when there is none.`, examples: ['Silva'] }),
    displayName: Type.String({
      description: `${texts.displayName} Empty when there is none.`,
      examples: ['Ana (night)'],
    }),
    language: languageText(`${texts.language} Empty: the default language of the call policy.`, 0),
    timeZone: timeZoneText(texts.timeZone),
    role,
    statusId: uint({ description: texts.status, examples: [1] }),
    onDuty: flag(texts.onDuty),
    replacedById: idOrNull('Who is called in their place, in all groups.'),
    virtual: flag(texts.virtual),
    stationIds,
    numbers: Type.Array(numberSchema, { description: 'Tried in this order.' }),
    identities: Type.Array(identity, { description: identitiesText }),
    lastChange,
  },
  { title: 'User', description: 'Somebody who signs in, or is called.' },
);

export const userBody = Type.Object(
  {
    name,
    firstName: optionalText(256, { description: texts.firstName, examples: ['Ana'] }),
    lastName: optionalText(256, { description: texts.lastName, examples: ['Silva'] }),
    displayName: optionalText(256, { description: texts.displayName, examples: ['Ana (night)'] }),
    language: Type.Optional(
      languageText(`${texts.language} Not given or empty: the default language of the call policy.`, 0),
    ),
    timeZone: Type.Optional(timeZoneText(`${texts.timeZone} Not given: the server's.`)),
    role: Type.Optional(role),
    statusId: Type.Optional(uint({ description: texts.status, default: 1 })),
    onDuty: Type.Optional(Type.Boolean({ description: texts.onDuty, default: true })),
    replacedById: optionalId('Who is called in their place, in all groups.'),
    virtual: Type.Optional(Type.Boolean({ description: texts.virtual, default: false })),
    stationIds: Type.Optional(
      idList('The stations the user is bound to; empty means all. Not given: those there are stay.'),
    ),
    pin: Type.Optional(
      Type.Union([Type.String({ pattern: '^[0-9]{1,9}$' }), Type.Null()], {
        description: 'Asked for on the telephone; 1 to 9 digits. Never shown. Not given: unchanged; null: no PIN.',
      }),
    ),
    password: optionalText(1_024, {
      description: 'Never shown. Not given: unchanged. Setting it ends the sessions of the user.',
    }),
    numbers: Type.Optional(Type.Array(numberBody, { maxItems: maxNumbers, description: 'Tried in this order.' })),
    identities: Type.Optional(Type.Array(identity, { maxItems: maxNumbers, description: identitiesText })),
  },
  {
    title: 'UserBody',
    description: 'Somebody who signs in, or is called. For a new user the role is operator if none is given.',
    examples: [
      {
        name: 'ana',
        firstName: 'Ana',
        lastName: 'Silva',
        language: 'fr',
        role: 'operator',
        numbers: [{ channel: 'voice', address: '+33123456789' }],
      },
    ],
  },
);

export type UserBody = Static<typeof userBody>;
export type Secrets = Pick<UserFields, 'passwordHash' | 'pinHash'>;

/** Parses a body; the secrets are passed in hashed. */
export function readUser(body: UserBody, secrets: Secrets, serverZone: string): UserFields {
  return {
    ...secrets,
    name: body.name,
    firstName: body.firstName ?? '',
    lastName: body.lastName ?? '',
    displayName: body.displayName ?? '',
    language: body.language ? knownLanguage('language', body.language) : '',
    timeZone: body.timeZone === undefined ? serverZone : knownTimeZone('timeZone', body.timeZone),
    role: body.role,
    statusId: body.statusId ?? 1,
    onDuty: body.onDuty ?? true,
    replacedById: body.replacedById || undefined,
    virtual: body.virtual ?? false,
    stationIds: body.stationIds ?? undefined,
    numbers: (body.numbers ?? []).map(readNumber),
    identities: (body.identities ?? []).map(readIdentity),
  };
}

function readIdentity({ kind, address: given }: Static<typeof identity>, index: number): Identity {
  const trimmed = given.trim();
  if (trimmed !== '' && (kind !== 'email' || /^[^\s@]+@[^\s@]+$/.test(trimmed))) return { kind, address: trimmed };
  throw unusable(`identities[${index}].address`, kind === 'email' ? 'must be a mail address' : 'must not be empty');
}

export function readNumber(body: Static<typeof numberBody>, index: number): ContactNumber {
  const { taken = false, back = false } = body.followUps ?? {};
  // A telephone that rings for news which needs no answer would keep people from answering those that do.
  if ((taken || back) && isSpoken(body.channel))
    throw unusable(
      `numbers[${index}].followUps`,
      'needs a channel that is written to: a telephone does not ring for a follow-up',
    );
  const { priorities } = body;
  if (priorities !== undefined && priorities.from > priorities.to)
    throw unusable(
      `numbers[${index}].priorities`,
      `must not begin after it ends: from ${priorities.from} to ${priorities.to} holds no priority, and the number would never be used; from is the most urgent one`,
    );
  return {
    id: body.id ?? 0,
    channel: body.channel,
    address: storedAddress(body.channel, body.address),
    valid: body.valid ?? defaultNumber.valid,
    verified: body.verified ?? defaultNumber.verified,
    final: body.final ?? defaultNumber.final,
    countTry: body.countTry ?? defaultNumber.countTry,
    timeToRetrySeconds: body.timeToRetry ?? defaultNumber.timeToRetrySeconds,
    countAck: body.countAck ?? defaultNumber.countAck,
    timeToAckSeconds: body.timeToAck ?? defaultNumber.timeToAckSeconds,
    acksWhenReached: body.ackAutoDefault === undefined ? defaultNumber.acksWhenReached : body.ackAutoDefault === 1,
    scheduleId: body.scheduleId || undefined,
    priorities,
    ...(taken || back ? { followUps: { taken, back } } : {}),
  };
}

function unusable(field: string, message: string): AppError {
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

export function printUser(user: Stored<User>): Static<typeof userSchema> {
  return {
    id: user.id,
    name: user.name,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: user.displayName,
    language: user.language,
    timeZone: user.timeZone,
    role: user.role,
    statusId: user.statusId,
    onDuty: user.onDuty,
    replacedById: user.replacedById ?? null,
    virtual: user.virtual,
    stationIds: [...user.stationIds],
    numbers: user.numbers.map(printNumber),
    identities: user.identities.map(({ kind, address }) => ({ kind, address })),
    lastChange: printUtcLocal(user.lastChange),
  };
}

function printNumber(number: ContactNumber): Static<typeof numberSchema> {
  return {
    id: number.id,
    channel: number.channel as Static<typeof channel>,
    address: number.address,
    valid: number.valid,
    verified: number.verified,
    final: number.final,
    countTry: number.countTry,
    timeToRetry: number.timeToRetrySeconds,
    countAck: number.countAck,
    timeToAck: number.timeToAckSeconds,
    ackAutoDefault: number.acksWhenReached ? 1 : 0,
    scheduleId: number.scheduleId ?? null,
    priorities: number.priorities ?? null,
    followUps: { taken: false, back: false, ...number.followUps },
  };
}
