// The page that the link of a message opens: what the message announced, and how it is now.

import { messageIn } from '../../../domain/alarms/system-texts/catalogue.ts';
import { alarmIdsOf, announcedItem, includesItem, isAlarmItem } from '../../../domain/calls/announced.ts';
import { mayAnswer } from '../../../domain/calls/replies/inbound.ts';
import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import { languageOf } from '../../../domain/calls/words/wording.ts';
import type { Query } from '../../../store/store.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { announcedIn, openAnnouncedOf } from '../announced.ts';
import { selectAttempt } from '../attempts.ts';
import { composeTexts } from '../messages/compose-messages.ts';
import { fateOf } from '../messages/fate-of.ts';

export type AnswerPage = {
  readonly userId: number;
  readonly channel: string;
  readonly language: string;
  /** Whether the person was removed since, or the number that the message was sent to: they are told nothing of it. */
  readonly isFormer: boolean;
  /** The open items, as they are now. */
  readonly open: readonly { readonly text: string; readonly isAlarm: boolean }[];
  /** The items that nobody is called for any more, each with its fate. */
  readonly over: readonly { readonly name: string; readonly fate: AlarmFate }[];
};

/** Returns what the message of an attempt announced, as it is now; undefined if there is no such attempt any more. */
export const getAnswerPage: Query<{ readonly attemptId: number }, AnswerPage | undefined> = {
  name: 'get-answer-page',
  async run(tx, { attemptId }) {
    const attempt = await tx.one(selectAttempt, { id: attemptId });
    if (attempt === undefined) return undefined;
    const { snapshot, policy } = await readCallConfiguration(tx);
    const person = snapshot.people.get(attempt.user_id);
    const about = {
      userId: attempt.user_id,
      channel: attempt.channel,
      language: languageOf(person, policy.wording),
      isFormer: !mayAnswer(person, attempt),
    };
    if (about.isFormer) return { ...about, open: [], over: [] };
    const { items } = announcedIn(attempt);
    const open = (await openAnnouncedOf(tx, [attempt])).get(attempt)?.named ?? [];
    const texts = await composeTexts(tx, attempt.user_id, open);
    const openItems = open.map(announcedItem);
    const gone = items.filter((item) => !includesItem(openItems, item));
    const alarms = new Map((await findAlarmRecords(tx, alarmIdsOf(gone))).map((alarm) => [alarm.id, alarm]));
    return {
      ...about,
      open: open.map((cause, index) => ({ text: texts[index] ?? '', isAlarm: isAlarmItem(announcedItem(cause)) })),
      over: gone.map((item) => {
        const alarm = isAlarmItem(item) ? alarms.get(item.alarmId) : undefined;
        const name = alarm === undefined ? '' : messageIn([about.language], alarm.definition) || alarm.name;
        return { name, fate: fateOf(alarm, attempt.user_id, snapshot) };
      }),
    };
  },
};
