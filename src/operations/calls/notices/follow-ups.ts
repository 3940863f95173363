// Adds follow-ups when alarms are taken, back to normal, or there again: notices to the numbers that ask for them, of the people who were
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
import type { CallReaction } from '../alarm-reaction.ts';
import { announcedIn } from '../announced.ts';
import { triesOf } from '../engine/rows/attempt-rows.ts';
import { insertCauses } from '../engine/rows/escalation-rows.ts';
import { fateOf } from '../messages/fate-of.ts';

type News = { readonly alarm: AlarmRecord; readonly about: 'taken' | 'back' | 'again'; readonly at: Instant };

type Recipient = { readonly person: Person; readonly number: ContactNumber };

const aboutReasons: Readonly<Partial<Record<string, News['about']>>> = {
  acknowledged: 'taken',
  returned: 'back',
  reset: 'back',
};

export class FollowUpReaction implements Reaction {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly #causes: Pick<CallReaction, 'wentOn'>;
  readonly #news: News[] = [];

  /** `causes` is written before. */
  constructor(tx: Tx, ids: NewIds, causes: Pick<CallReaction, 'wentOn'>) {
    this.#tx = tx;
    this.#ids = ids;
    this.#causes = causes;
  }

  note(change: AlarmChange): void {
    const about = change.kind === 'transition' ? aboutReasons[change.transition.reason] : undefined;
    if (about !== undefined) this.#news.push({ alarm: change.entry.alarm, about, at: change.at });
  }

  async write(): Promise<void> {
    const all = [...this.#news, ...this.#causes.wentOn.map((one) => ({ ...one, about: 'again' as const }))];
    if (all.length === 0) return;
    const configuration = await readCallConfiguration(this.#tx);
    for (const news of all) await this.#tell(news, configuration);
  }

  async #tell(news: News, { snapshot, policy }: CallConfiguration): Promise<void> {
    const { alarm, about, at } = news;
    const context = { snapshot, policy, priority: alarm.priority };
    const interested = [...snapshot.people.values()].flatMap((person) =>
      person.numbers
        .filter((number) => wants(number, about) && isUsable(number, context, at))
        .map((number) => ({ person, number })),
    );
    if (interested.length === 0) return;
    const told = await this.#toldOf(alarm, interested);
    const rows = [];
    for (const recipient of interested.filter(({ person }) => told.has(person.id))) {
      const text = textOf(news, recipient, snapshot);
      if (text !== undefined) rows.push({ ...causeOf(news, recipient), ...text });
    }
    await insertCauses(this.#tx, rows);
  }

  /** Returns the ids of those people whom an attempt called for the newest occurrence of the alarm, or told of it. */
  async #toldOf({ id, occurrenceId }: AlarmRecord, interested: readonly Recipient[]): Promise<ReadonlySet<number>> {
    const historyId = this.#ids.optionalIdOf(occurrenceId) ?? 0;
    const userIds = JSON.stringify([...new Set(interested.map(({ person }) => person.id))]);
    const attempts = await this.#tx.all(selectAttemptsFor, { alarmId: id, historyId, userIds });
    const telling = attempts.filter(({ cause_id, ...attempt }) => {
      const called = triesOf(attempt).map(({ causeId }) => causeId);
      return [...called, ...announcedIn(attempt).causes].includes(cause_id ?? 0);
    });
    return new Set(telling.map(({ user_id }) => user_id));
  }
}

/** Who is told that an alarm is over is told that it is there again; a number that is not final gets a notice of that anyhow. */
function wants({ followUps, final }: ContactNumber, about: News['about']): boolean {
  return about === 'again' ? followUps?.back === true && final : followUps?.[about] === true;
}

function causeOf({ alarm, about, at }: News, { number }: Recipient) {
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
    due_at: at,
    origin: null,
  };
}

/** Returns the texts for the person; undefined for somebody who took the alarm themselves. */
function textOf({ alarm, about, at }: News, { person }: Recipient, snapshot: PeopleSnapshot) {
  const parts = { ...alarm, at, station: '' };
  if (about === 'back') {
    const { text, shortText } = callText('reset', parts);
    return { text, short_text: shortText };
  }
  if (about === 'again') {
    const { text, shortText } = callText('alarm', parts);
    return { text, short_text: shortText };
  }
  const fate = fateOf(alarm, person.id, snapshot);
  if (fate.kind !== 'taken') return undefined;
  const { text, shortText } = callText('alarm', parts);
  const by = mark.taken(withoutMarks(fate.by));
  return { text: `${text}: ${by}`, short_text: `${shortText}: ${by}` };
}

/** The attempts to these people since the alarm is called for. */
const selectAttemptsFor = statement((db, args: { alarmId: number; historyId: number; userIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .innerJoin('call_attempts', (join) =>
      join
        .onRef('call_attempts.created_at', '>=', 'call_causes.created_at')
        .on('call_attempts.user_id', 'in', idsIn(args.userIds, kind)),
    )
    .select([
      'call_causes.cause_id',
      'call_attempts.user_id',
      'call_attempts.tries',
      'call_attempts.announced',
      'call_attempts.announced_causes',
    ])
    .where('call_causes.alarm_id', '=', args.alarmId)
    .where('call_causes.history_id', '=', args.historyId)
    .where('call_causes.list', '=', 'alarm')
    .where('call_attempts.started_at', 'is not', null),
);
