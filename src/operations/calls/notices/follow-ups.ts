// Adds follow-ups when alarms are taken or back to normal: notices to the numbers that ask for them, of the people who were
// called or sent a text for the alarm.

import { callText } from '../../../domain/calls/message-text.ts';
import { isUsable } from '../../../domain/calls/usable-numbers.ts';
import { mark, withoutMarks } from '../../../domain/calls/words/stored-text.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import type { ContactNumber, Person } from '../../../domain/people/person.ts';
import type { NewIds } from '../../../store/new-ids.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import type { AlarmChange, Reaction } from '../../alarms/reaction.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { announcedIn } from '../announced.ts';
import { causeRows } from '../call-rows.ts';
import { fateOf } from '../messages/fate-of.ts';
import { noticeDue } from './notice-due.ts';

type News = { readonly alarm: AlarmRecord; readonly about: 'taken' | 'back'; readonly at: Instant };

type Recipient = { readonly person: Person; readonly number: ContactNumber };

const aboutReasons: Readonly<Partial<Record<string, News['about']>>> = {
  acknowledged: 'taken',
  returned: 'back',
  reset: 'back',
};

export class FollowUpReaction implements Reaction {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly #news: News[] = [];

  constructor(tx: Tx, ids: NewIds) {
    this.#tx = tx;
    this.#ids = ids;
  }

  note(change: AlarmChange): void {
    const about = change.kind === 'transition' ? aboutReasons[change.transition.reason] : undefined;
    if (about !== undefined) this.#news.push({ alarm: change.entry.alarm, about, at: change.at });
  }

  async write(): Promise<void> {
    if (this.#news.length === 0) return;
    const configuration = await readCallConfiguration(this.#tx);
    for (const news of this.#news) await this.#tell(news, configuration);
  }

  async #tell(news: News, { snapshot, policy }: CallConfiguration): Promise<void> {
    const { alarm, about, at } = news;
    const context = { snapshot, policy, priority: alarm.priority };
    const interested = [...snapshot.people.values()].flatMap((person) =>
      person.numbers
        .filter((number) => number.followUps?.[about] && isUsable(number, context, at))
        .map((number) => ({ person, number })),
    );
    if (interested.length === 0) return;
    const told = await this.#toldOf(alarm, interested);
    const rows = [];
    for (const recipient of interested.filter(({ person }) => told.has(person.id))) {
      const text = textOf(news, recipient, snapshot);
      if (text !== undefined) rows.push({ ...(await this.#causeOf(news, recipient)), ...text });
    }
    await this.#tx.each(causeRows.insert, rows);
  }

  /** Returns the ids of those people to whom an attempt has announced the newest occurrence of the alarm. */
  async #toldOf({ id, occurrenceId }: AlarmRecord, interested: readonly Recipient[]): Promise<ReadonlySet<number>> {
    const historyId = this.#ids.optionalIdOf(occurrenceId) ?? 0;
    const userIds = JSON.stringify([...new Set(interested.map(({ person }) => person.id))]);
    const attempts = await this.#tx.all(selectAttemptsFor, { alarmId: id, historyId, userIds });
    const announcing = attempts.filter((attempt) => {
      const { items, upTo } = announcedIn(attempt);
      return attempt.cause_id <= upTo || items.some((item) => 'alarmId' in item && item.alarmId === id);
    });
    return new Set(announcing.map(({ user_id }) => user_id));
  }

  async #causeOf({ alarm, about, at }: News, { person, number }: Recipient) {
    return {
      kind: 'followUp',
      list: about,
      target_kind: 'number',
      target_id: number.id,
      station_id: alarm.stationId,
      alarm_id: alarm.id,
      history_id: null,
      message_id: null,
      priority: alarm.priority,
      is_transitory: 0,
      created_at: at,
      due_at: await noticeDue(this.#tx, at, person.id, number.id),
      origin: null,
    };
  }
}

/** Returns the texts for the person; undefined for somebody who took the alarm themselves. */
function textOf({ alarm, about, at }: News, { person }: Recipient, snapshot: PeopleSnapshot) {
  const parts = { ...alarm, at, station: '' };
  if (about === 'back') {
    const { text, shortText } = callText('reset', parts);
    return { text, short_text: shortText };
  }
  const fate = fateOf(alarm, person.id, snapshot);
  if (fate.kind !== 'taken') return undefined;
  const { text, shortText } = callText('alarm', parts);
  const by = mark.taken(withoutMarks(fate.by));
  return { text: `${text}: ${by}`, short_text: `${shortText}: ${by}` };
}

const selectAttemptsFor = statement((db, args: { alarmId: number; historyId: number; userIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .innerJoin('call_attempts', 'call_attempts.call_id', 'call_causes.call_id')
    .select(['call_causes.id as cause_id', 'call_attempts.user_id', 'call_attempts.call_id', 'call_attempts.announced'])
    .where('call_causes.alarm_id', '=', args.alarmId)
    .where('call_causes.history_id', '=', args.historyId)
    .where('call_causes.list', '=', 'alarm')
    .where('call_attempts.user_id', 'in', idsIn(args.userIds, kind))
    .where('call_attempts.started_at', 'is not', null),
);
