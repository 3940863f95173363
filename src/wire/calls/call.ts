// The JSON of calls: messages to send, and the call history.

import { type Static, Type } from 'typebox';
import type { CallHistory } from '../../domain/calls/call-history.ts';
import type { CallOutcome } from '../../domain/calls/delivery.ts';
import { hideAddress } from '../../domain/people/hidden-address.ts';
import { instantText, printInstant } from '../date-time.ts';
import { choice, idOf, optionalText, text, uint } from '../paging.ts';
import { printReason, reasonCode } from './reason.ts';

const longestMessage = 65_536;
/** Two mebibytes in base64. */
const longestAudio = 2_796_204;

const message = {
  msgText: Type.Optional(
    text(longestMessage, { description: 'The text that people hear or read.', examples: ['Please come to pump 7'] }),
  ),
  msgNum: Type.Optional(uint({ description: 'A short numeric message for pagers, and the spoken code.' })),
  msgAudio: Type.Optional(text(longestAudio, { description: 'A WAV or MP3 as base64, at most 2 MiB of it.' })),
  msgFile: optionalText(1024, { description: 'The name of a media file; without it the text is spoken.' }),
};

const ids = (description: string) => Type.Array(uint({ examples: [1] }), { maxItems: 1000, description });

export const callUsersBody = Type.Object(
  { userIds: ids('Whom to call.'), ...message },
  { title: 'CallUsersBody', description: 'Whom to call, and what to tell them.' },
);

export const callGroupsBody = Type.Object(
  {
    callGroupIds: Type.Optional(ids('The groups to call.')),
    groupingIds: Type.Optional(ids('The groupings whose groups to call.')),
    ...message,
  },
  {
    title: 'CallGroupsBody',
    description: 'Which groups to call, and what to tell them.',
    examples: [{ callGroupIds: [1], msgText: 'Please come to pump 7' }],
  },
);

const outcomes: readonly (readonly [CallOutcome, string])[] = [
  ['answered', 'the person answered'],
  ['busy', 'the line was in use'],
  ['noAnswer', 'nobody answered'],
  ['declined', 'the person declined, or rejected the call'],
  ['badNumber', 'there is no such number'],
  ['voicemail', 'an answering machine answered'],
  ['undeliverable', 'no number could be used'],
  ['providerDown', 'the channel does not work'],
  ['limited', 'held back by the cap'],
  ['locked', 'a wrong PIN was entered three times'],
  ['cancelled', 'ended before it was answered'],
  ['failed', 'anything else'],
];

const outcome = choice(outcomes, {
  title: 'CallOutcome',
  description: 'How it ended; not given while it is under way, and for a text that was not answered.',
});

export const callHistorySchema = Type.Object(
  {
    id: idOf('attempt'),
    groupCallId: Type.Optional(uint({ description: 'The same for all attempts of one call of a group.' })),
    cause: choice(
      [
        ['alarm', 'an alarm'],
        ['message', 'a request to call people or groups'],
        ['test', 'a test call or a drill'],
        ['followUp', 'news of an alarm: somebody took it, or it is back to normal'],
        ['handOver', 'that somebody comes on or goes off duty'],
        ['ringIn', 'the person rang in'],
      ],
      { description: 'What it was made for.' },
    ),
    alarmId: Type.Optional(uint({ description: 'The most urgent alarm it was made for.' })),
    occurrenceId: Type.Optional(
      uint({ description: 'The entry of the history of that alarm; not of earlier versions.' }),
    ),
    text: Type.Optional(
      Type.String({
        description: 'What was to be told of that alarm; not of earlier versions.',
        examples: ['Pump 7 is too hot'],
      }),
    ),
    alarmIds: Type.Optional(
      Type.Array(uint({ examples: [1] }), { description: 'Every alarm it was made for, or that it announced.' }),
    ),
    announcedAlarmIds: Type.Optional(
      Type.Array(uint({ examples: [1] }), {
        description: 'Those that were read to the person or counted aloud; of a text, those it names or counts.',
      }),
    ),
    priority: Type.Optional(uint({ description: 'The priority of that alarm; 1 is the most urgent.' })),
    callGroupId: Type.Optional(uint({ description: 'The group that was called.' })),
    userId: idOf('user who was called'),
    user: Type.String({ description: 'The name of the user.', examples: ['ana'] }),
    channel: Type.String({ description: 'The way of reaching them.', examples: ['voice'] }),
    address: Type.String({ description: 'Without the scope directory:read only its last three characters are shown.' }),
    provider: Type.Optional(
      Type.String({ description: 'The name of the provider that carried it.', examples: ['PBX'] }),
    ),
    providers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.Optional(
              Type.String({ description: 'Its name; not given if it was removed.', examples: ['PBX'] }),
            ),
            outcome: Type.Optional(outcome),
            detail: Type.Optional(Type.String({ description: 'Why the next one was asked, in a few words.' })),
          },
          { title: 'AskedProvider', description: 'A provider that was asked to carry an attempt.' },
        ),
        { description: 'Every provider that was asked, in order, where there were several.' },
      ),
    ),
    attempt: uint({ description: 'Counted from 1; 0: the person could not be tried at all.' }),
    status: choice(
      [
        [0, 'none'],
        [1, 'in progress'],
        [2, 'suspended: no attempt is, only people in calls are'],
        [3, 'reached, awaiting acknowledgement'],
        [4, 'failed'],
        [5, 'acknowledged'],
        [6, 'not acknowledged'],
      ],
      { description: 'How the attempt stands now.' },
    ),
    startTime: instantText('When the attempt started; before that, when it is due.'),
    ringTime: Type.Optional(instantText('When the telephone began to ring.')),
    answerTime: Type.Optional(instantText('When the telephone was picked up.')),
    deliveredTime: Type.Optional(instantText('When the provider said that it was delivered.')),
    readTime: Type.Optional(instantText('When the provider said that it was read.')),
    ackTime: Type.Optional(instantText('When they first acknowledged something of it: took or heard it.')),
    endTime: Type.Optional(instantText('When it ended.')),
    outcome: Type.Optional(outcome),
    endedBy: Type.Optional(
      Type.String({
        description: 'Who or what ended it: an actor as in the journal, or `channel`.',
        examples: ['user:3'],
      }),
    ),
    acknowledged: Type.Array(
      Type.Object(
        { alarmId: idOf('alarm'), ackTime: instantText('When it was taken or heard.') },
        { title: 'AcknowledgedAlarm', description: 'An alarm that the person acknowledged in this attempt.' },
      ),
      { description: 'The alarms that the person acknowledged in this attempt.' },
    ),
    reason: Type.Optional(
      Type.String({
        description: 'Why it is made, in the language of `Accept-Language`.',
        examples: ['the alarm was raised'],
      }),
    ),
    reasonCode,
    detail: Type.String({
      description:
        'What happened, in a few words; before that, why it is made. In the language of `Accept-Language`, but for what a provider says.',
    }),
    detailCode: Type.Optional(
      Type.String({ description: 'The code of `detail`, the same in every language; not of earlier versions.' }),
    ),
  },
  { title: 'CallHistory', description: 'One attempt to reach one person.' },
);

export function printCallHistory(
  row: CallHistory,
  { timeZone, showsAddress }: { readonly timeZone: string; readonly showsAddress: boolean },
): Static<typeof callHistorySchema> {
  const time = <K extends string>(name: K, at: number | undefined) =>
    at === undefined ? {} : ({ [name]: printInstant(at, timeZone) } as { [N in K]: string });
  return {
    id: row.id,
    ...(row.callGroupId === undefined ? {} : { groupCallId: row.callId }),
    cause: row.cause as Static<typeof callHistorySchema>['cause'],
    ...(row.alarmId === undefined ? {} : { alarmId: row.alarmId }),
    ...(row.occurrenceId === undefined ? {} : { occurrenceId: row.occurrenceId }),
    ...(row.text === undefined ? {} : { text: row.text }),
    ...(row.alarmIds === undefined ? {} : { alarmIds: [...row.alarmIds] }),
    ...(row.announcedAlarmIds === undefined ? {} : { announcedAlarmIds: [...row.announcedAlarmIds] }),
    ...(row.priority === undefined ? {} : { priority: row.priority }),
    ...(row.callGroupId === undefined ? {} : { callGroupId: row.callGroupId }),
    userId: row.userId,
    user: row.user,
    channel: row.channel,
    address: showsAddress ? row.address : hideAddress(row.address),
    ...(row.provider === undefined ? {} : { provider: row.provider }),
    ...(row.providers.length === 0 ? {} : { providers: row.providers.map(printAsked) }),
    attempt: row.attempt,
    status: row.status as Static<typeof callHistorySchema>['status'],
    startTime: printInstant(row.startedAt ?? row.createdAt, timeZone),
    ...time('ringTime', row.rangAt),
    ...time('answerTime', row.answeredAt),
    ...time('deliveredTime', row.deliveredAt),
    ...time('readTime', row.readAt),
    ...time('ackTime', row.ackAt),
    ...time('endTime', row.endedAt),
    ...(row.outcome === undefined ? {} : { outcome: row.outcome as CallOutcome }),
    ...(row.endedBy === undefined ? {} : { endedBy: row.endedBy }),
    acknowledged: row.acknowledged.map(([alarmId, at]) => ({ alarmId, ackTime: printInstant(at, timeZone) })),
    ...(row.reason === undefined ? {} : printReason(row.reason)),
    detail: row.detail,
    ...(row.detailCode === undefined ? {} : { detailCode: row.detailCode }),
  };
}

function printAsked({ name, outcome, detail }: CallHistory['providers'][number]) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(outcome === undefined ? {} : { outcome: outcome as CallOutcome }),
    ...(detail === undefined ? {} : { detail }),
  };
}
