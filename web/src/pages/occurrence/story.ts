// What happened in an occurrence, from its raise on: events and attempts, and of what is no longer kept the entry's own. Pure.

import type { AlarmEvent, AlarmHistory, CallHistory } from '@tocsin/client';
import { type Facts, pastLines, type TimelineLine } from '../../components/timeline/past-lines.ts';

type Kept = { readonly attempts: readonly CallHistory[]; readonly events: readonly AlarmEvent[] };

/** Returns the lines of time, the oldest first. */
export function storyOf(entry: AlarmHistory, { attempts, events }: Kept, facts: Facts): readonly TimelineLine[] {
  const kinds = new Set(events.map(({ event }) => event));
  const isTold = (...names: readonly string[]): boolean => names.some((name) => kinds.has(name));
  const own = entryLines(entry, facts).filter(({ tellsOf }) => !isTold(...tellsOf));
  const told = pastLines(
    attempts,
    events.map((event) => takenBy(entry, event)),
    facts,
  );
  return [...own.map(({ line }) => line), ...told].toSorted((one, other) => one.at - other.at);
}

/** Who took the alarm may be another than who pressed the key: a simulated phone is used by somebody at a console. */
function takenBy({ ackTime, ackUser = '' }: AlarmHistory, event: AlarmEvent): AlarmEvent {
  const isTaking = event.event === 'acknowledged' && event.time === ackTime && ackUser !== '';
  return isTaking ? { ...event, actor: ackUser } : event;
}

/** What the entry itself says, each with the events that say it better. */
function entryLines({ alarmTime, ackTime, ackUser = '', resetTime, comment }: AlarmHistory, { words, names }: Facts) {
  const { event, by } = words.timeline;
  const said = comment === '' ? '' : `: ${comment}`;
  const lines = [
    { at: alarmTime, icon: 'raised', text: event('raised'), why: '', tellsOf: ['raised', 'reactivated'] },
    {
      at: ackTime,
      icon: 'acknowledged',
      text: `${event('acknowledged')}${said}`,
      why: ackUser === '' ? '' : by(names.byName(ackUser)),
      tellsOf: ['acknowledged'],
    },
    { at: resetTime, icon: 'cleared', text: event('returned'), why: '', tellsOf: ['returned', 'reset'] },
  ] as const;
  return lines.flatMap(({ at, tellsOf, ...line }) =>
    at === undefined ? [] : [{ tellsOf, line: { ...line, key: `entry-${tellsOf[0]}`, at: Date.parse(at) } }],
  );
}

/** The attempt in which the person took the alarm, if it was taken in a call or by a text. */
export function takenIn(entry: AlarmHistory, attempts: readonly CallHistory[]): CallHistory | undefined {
  return attempts.find(({ acknowledged }) =>
    acknowledged.some(({ alarmId, ackTime }) => alarmId === entry.tagId && ackTime === entry.ackTime),
  );
}
