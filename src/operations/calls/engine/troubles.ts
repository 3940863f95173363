// What everybody must be able to see while it lasts, as alarms of Tocsin's own: nobody is on call, everybody was called in vain, and
// calls that wait for a free line. They call nobody: the escalation to the last resort is their call.

import type { SystemText } from '../../../domain/alarms/system-texts/texts.ts';
import type { CallTarget } from '../../../domain/calls/call.ts';
import type { Escalation, Trouble } from '../../../domain/escalation/escalation.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { visibilityOf } from '../../../domain/people/visibility.ts';
import { defaultStationId } from '../../../domain/plant/entities.ts';
import { getMeta, setMeta } from '../../../store/meta.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { endOpenSystemAlarms } from '../../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarms } from '../../alarms/intake/report.ts';
import type { Calling } from './read-calling.ts';

type TroubleAlarm = { readonly path: string; readonly stationId: number; readonly message: SystemText };

export type TroubleChanges = { readonly raise: readonly TroubleAlarm[]; readonly end: readonly string[] };

/** An alarm that was raised and is not over. */
type RaisedTrouble = { readonly path: string; readonly code: SystemText['code'] };

/** JSON list of them. */
const metaKey = 'call_troubles';

export async function readRaisedTroubles(tx: ReadTx): Promise<readonly RaisedTrouble[]> {
  const stored = await getMeta(tx, metaKey);
  return stored === undefined ? [] : (JSON.parse(stored) as readonly RaisedTrouble[]);
}

/** All that is known, whatever was decided on now. */
export type Shown = {
  /** By id of an escalation. */
  readonly stationOf: (id: number) => number | undefined;
  readonly isEnded: (causeId: number) => boolean;
  readonly escalations: Iterable<Escalation>;
  readonly parts: readonly PlacedPart[];
};

/** The changes from the alarms that were raised to those that should be. One that says something else now is ended and raised. */
export function troublesOf(
  { world: { snapshot } }: Pick<Calling, 'world'>,
  { stationOf, isEnded, escalations, parts }: Shown,
  decided: readonly Escalation[],
  raised: readonly RaisedTrouble[],
): TroubleChanges {
  const changed = new Map(decided.map((escalation) => [escalation.id, escalation]));
  const wanted = new Map<string, TroubleAlarm>();
  for (const known of escalations) {
    const escalation = changed.get(known.id) ?? known;
    // One that was discarded says so once.
    const isOver = isEnded(escalation.causeId) || (escalation.state === 'done' && escalation === known);
    if (isOver || escalation.trouble === undefined) continue;
    const path = pathOf(escalation, escalation.trouble);
    if (!wanted.has(path))
      wanted.set(path, { path, ...troubleAlarm(escalation, escalation.trouble, { snapshot, stationOf }) });
  }
  for (const { channel, isSetUp } of channelsOutOfReach(parts)) {
    wanted.set(`${channelPrefix}${channel}`, {
      path: `${channelPrefix}${channel}`,
      stationId: defaultStationId,
      message: { code: 'no-way', parameters: { channel, why: isSetUp ? 'down' : 'not-set-up' } },
    });
  }
  for (const channel of channelsNotServing(parts)) {
    const message = { code: 'no-way', parameters: { channel, why: 'not-served' } } as const;
    wanted.set(`not-served/${channel}`, { path: `not-served/${channel}`, stationId: defaultStationId, message });
  }
  for (const channel of channelsWithoutLine(parts)) {
    const message = { code: 'no-free-line', parameters: { channel } } as const;
    wanted.set(`no-free-line/${channel}`, { path: `no-free-line/${channel}`, stationId: defaultStationId, message });
  }
  const codes = new Map(raised.map(({ path, code }) => [path, code]));
  return {
    raise: [...wanted.values()].filter(({ path, message }) => codes.get(path) !== message.code),
    end: raised.flatMap(({ path, code }) => (wanted.get(path)?.message.code === code ? [] : [path])),
  };
}

function aboutOf({ target }: Escalation, { groupId }: Trouble): CallTarget {
  return groupId === undefined ? target : { kind: 'group', id: groupId };
}

function pathOf(escalation: Escalation, trouble: Trouble): string {
  const { kind, id } = aboutOf(escalation, trouble);
  const subject = kind === 'last-resort' ? 'last-resort' : `${kind}/${id}`;
  if (trouble.kind === 'in-vain') return `nobody-took-it/${subject}`;
  return `nobody-on-call/${kind === 'group' ? id : subject}`;
}

function troubleAlarm(
  escalation: Escalation,
  trouble: Trouble,
  { snapshot, stationOf }: Pick<Calling['world'], 'snapshot'> & Pick<Shown, 'stationOf'>,
): Omit<TroubleAlarm, 'path'> {
  const about = aboutOf(escalation, trouble);
  const group = about.kind === 'group' ? snapshot.groups.get(about.id) : undefined;
  const ofCause = stationOf(escalation.id) ?? defaultStationId;
  const stationId = about.kind === 'last-resort' ? defaultStationId : (group?.stationId ?? ofCause);
  const parameters = { kind: about.kind, id: about.id, name: nameOf(about, snapshot, stationId) };
  const codes = { 'in-vain': 'called-in-vain', locked: 'duty-locked', 'nobody-on-call': 'nobody-on-call' } as const;
  return { stationId, message: { code: codes[trouble.kind], parameters } };
}

/** Everybody who sees the station reads it: a person of another one is not named. */
function nameOf({ kind, id }: CallTarget, snapshot: PeopleSnapshot, stationId: number): string {
  const visibility = visibilityOf({ stationIds: [stationId] }, snapshot);
  if (kind === 'group') return visibility.seesGroup(id) ? (snapshot.groups.get(id)?.name ?? '') : '';
  return kind === 'user' && visibility.seesPerson(id) ? (snapshot.people.get(id)?.name ?? '') : '';
}

/** Raises and ends the alarms, and remembers which are raised. */
export async function applyTroubles(tx: Tx, now: Instant, { raise, end }: TroubleChanges): Promise<void> {
  if (raise.length + end.length === 0) return;
  const raised = await readRaisedTroubles(tx);
  const isEnded = new Set(end);
  const ended = raised.filter(({ path }) => isEnded.has(path));
  const left = raised.filter(({ path }) => !isEnded.has(path));
  const isLeft = new Set(left.map(({ path }) => path));
  const added = raise.filter(({ path }) => !isLeft.has(path));
  const present = [...left, ...added.map(({ path, message }) => ({ path, code: message.code }))];
  await setMeta(tx, metaKey, JSON.stringify(present));
  // That of a channel ends when the channel works again, whether somebody is to be called by it or not; that of a number is over at once.
  const over = ended.map(({ path }) => path).filter((path) => !isAboutWays(path));
  await endOpenSystemAlarms(tx, now, over, 'end-calls');
  await raiseSystemAlarms(
    tx,
    now,
    added.map((alarm) => ({ ...alarm, priority: 2, isCalled: isAboutWays(alarm.path) })),
  );
}

const channelPrefix = 'channel/';

/** Whether the alarm is about ways to reach people, so that the last resort is called, as it may be reached otherwise. */
function isAboutWays(path: string): boolean {
  return path.startsWith(channelPrefix) || path.startsWith('not-served/');
}

/** The channels by which somebody is to be called, and cannot be. */
function channelsOutOfReach(
  parts: readonly PlacedPart[],
): readonly { readonly channel: string; readonly isSetUp: boolean }[] {
  const found = new Map<string, boolean>();
  for (const { part } of parts) {
    if (part.state !== 'out-of-reach') continue;
    const { reason } = part;
    if (reason.code === 'channel-down' || reason.code === 'channel-not-set-up')
      found.set(reason.channel, reason.code === 'channel-down');
  }
  return [...found].map(([channel, isSetUp]) => ({ channel, isSetUp }));
}

/** The channels of which no provider serves a number that is to be called. */
function channelsNotServing(parts: readonly PlacedPart[]): ReadonlySet<string> {
  const reasons = parts.flatMap(({ part }) => (part.state === 'out-of-reach' ? [part.reason] : []));
  return new Set(reasons.flatMap((reason) => (reason.code === 'number-not-served' ? [reason.channel] : [])));
}

/** The channels whose lines somebody has waited for longer than a level does. */
function channelsWithoutLine(parts: readonly PlacedPart[]): ReadonlySet<string> {
  const reasons = parts.flatMap(({ part }) => (part.state === 'blocked' && !part.holds ? [part.reason] : []));
  return new Set(reasons.flatMap((reason) => (reason.code === 'no-free-line' ? [reason.channel] : [])));
}
