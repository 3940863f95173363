// What happened in an occurrence, from its raise on: events and attempts, and of what is no longer kept the entry's own. Pure.

import type { AlarmEvent, AlarmHistory, CallHistory } from '@tocsin/client';
import { type Facts, pastLines, type TimelineLine } from '../../components/timeline/past-lines.ts';

type Kept = { readonly attempts: readonly CallHistory[]; readonly events: readonly AlarmEvent[] };

export type StoryLine = Omit<TimelineLine, 'at'> & {
  /** Undefined where it is not known when. */
  readonly at: number | undefined;
};

/** Returns the lines of time, the oldest first, and what has no time. */
export function storyOf(entry: AlarmHistory, { attempts, events }: Kept, facts: Facts): readonly StoryLine[] {
  const kinds = new Set(events.map(({ event }) => event));
  const isTold = (...names: readonly string[]): boolean => names.some((name) => kinds.has(name));
  const own = entryLines(entry, facts).filter(({ tellsOf }) => !isTold(...tellsOf));
  const told = pastLines(
    attempts,
    events.map((event) => takenBy(entry, event)),
    facts,
  );
  const timed = [...own.map(({ line }) => line), ...told].toSorted((one, other) => one.at - other.at);
  return [...timed, ...untoldComment(entry, events, facts)];
}

const raising: ReadonlySet<string> = new Set(['raised', 'reactivated']);

/** So many events, the newest, the server tells of an occurrence. */
export const mostEvents = 1_000;

/** Why the raise, and what else was at the beginning, is not among the events: there are too many, or they are not kept. */
export function missingOf(events: readonly AlarmEvent[]): 'older' | 'gone' | undefined {
  if (events.some(({ event }) => raising.has(event))) return undefined;
  return events.length < mostEvents ? 'gone' : 'older';
}

/** Who took the alarm may be another than who pressed the key: a simulated phone is used by somebody at a console. */
function takenBy({ ackTime, ackUser = '' }: AlarmHistory, event: AlarmEvent): AlarmEvent {
  const isTaking = event.event === 'acknowledged' && event.time === ackTime && ackUser !== '';
  return isTaking ? { ...event, actor: ackUser } : event;
}

/** What the entry itself says, each with the events that say it better. */
function entryLines({ alarmTime, ackTime, ackUser = '', resetTime }: AlarmHistory, { words, names }: Facts) {
  const { event, by } = words.timeline;
  const lines = [
    { at: alarmTime, icon: 'raised', text: event('raised'), why: '', tellsOf: ['raised', 'reactivated'] },
    {
      at: ackTime,
      icon: 'acknowledged',
      text: event('acknowledged'),
      why: ackUser === '' ? '' : by(names.byName(ackUser)),
      tellsOf: ['acknowledged'],
    },
    { at: resetTime, icon: 'cleared', text: event('returned'), why: '', tellsOf: ['returned', 'reset'] },
  ] as const;
  return lines.flatMap(({ at, tellsOf, ...line }) =>
    at === undefined ? [] : [{ tellsOf, line: { ...line, key: `entry-${tellsOf[0]}`, at: Date.parse(at) } }],
  );
}

/** The entry has the newest comment without its writer and its time: only the event of the comment has them. */
function untoldComment({ comment }: AlarmHistory, events: readonly AlarmEvent[], { words }: Facts): StoryLine[] {
  const isTold = events.some(({ event, data }) => event === 'commented' && data.comment === comment);
  if (comment === '' || isTold) return [];
  const text = `${words.timeline.event('commented')}: ${comment}`;
  return [{ key: 'entry-comment', at: undefined, icon: 'comment', text, why: '' }];
}

/** The attempt in which the person took the alarm, if it was taken in a call or by a text. */
export function takenIn(entry: AlarmHistory, attempts: readonly CallHistory[]): CallHistory | undefined {
  return attempts.find(({ acknowledged }) =>
    acknowledged.some(({ alarmId, ackTime }) => alarmId === entry.tagId && ackTime === entry.ackTime),
  );
}
