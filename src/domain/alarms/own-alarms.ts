// The alarms that Tocsin raises about itself, by the beginning of their paths, and whether each lasts as long as its cause. Pure.

/**
 * `state`: active from the beginning of its cause to its end, one occurrence that is acknowledged like any other.
 * `event`: something that has happened; back to normal at once, and gone when it is acknowledged.
 */
type Nature = 'state' | 'event';

export const ownAlarms = {
  'backup-old': 'state',
  budget: 'state',
  channel: 'state',
  'disk-low': 'state',
  'events-delayed': 'state',
  'few-descriptors': 'state',
  holidays: 'state',
  'intake-refused': 'state',
  provider: 'state',
  'providers-unopened': 'state',
  'no-free-line': 'state',
  'nobody-on-call': 'state',
  'nobody-took-it': 'state',
  'purge-waits': 'state',
  'scripts-differ': 'state',
  'set-aside': 'state',
  'source-silent': 'state',
  'store-damaged': 'state',
  auditor: 'event',
  'bad-number': 'event',
  'cannot-be-used': 'event',
  clock: 'event',
  command: 'event',
  // Its warnings, thirty days, seven and one before the end, are apart.
  'key-expiring': 'event',
  // It was found for one number that was to be called; nobody looks whether one is served while nobody calls it.
  'not-served': 'event',
  // What was collapsed has happened; as a state it would begin and end with each pause of the chatter.
  'over-budget': 'event',
  'refusal-not-kept': 'event',
  'set-aside/attempts-of': 'event',
  quarantine: 'event',
  'tags-not-moved': 'event',
  'telephony-ended': 'event',
} as const satisfies Record<string, Nature>;

type OwnAlarm = keyof typeof ownAlarms;

/** The alarms that last as long as their cause. */
export type LastingAlarm = { [N in OwnAlarm]: (typeof ownAlarms)[N] extends 'state' ? N : never }[OwnAlarm];

/** Whether an alarm of Tocsin's own lasts as long as its cause; throws for a path that is not in the catalogue. */
export function isLastingAt(path: string): boolean {
  const parts = path.split('/');
  for (let length = parts.length; length > 0; length--) {
    const nature = (ownAlarms as Readonly<Record<string, Nature>>)[parts.slice(0, length).join('/')];
    if (nature !== undefined) return nature === 'state';
  }
  throw new Error(`The alarm "${path}" is not in src/domain/alarms/own-alarms.ts`);
}
