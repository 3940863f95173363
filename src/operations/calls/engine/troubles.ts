// What everybody must be able to see while it lasts, as alarms of Tocsin's own: nobody is on call, everybody was called in vain, and
// calls that wait for a free line. They call nobody: the escalation to the last resort is their call.

import type { SystemText } from '../../../domain/alarms/system-texts/texts.ts';
import type { CallTarget } from '../../../domain/calls/call.ts';
import type { Decision } from '../../../domain/escalation/decision.ts';
import type { Escalation, Trouble } from '../../../domain/escalation/escalation.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { visibilityOf } from '../../../domain/people/visibility.ts';
import { defaultStationId } from '../../../domain/plant/entities.ts';
import { getMeta, setMeta } from '../../../store/meta.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { endOpenSystemAlarm } from '../../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
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

/** The changes from the alarms that were raised to those that should be. One that says something else now is ended and raised. */
export function troublesOf(calling: Calling, decision: Decision, raised: readonly RaisedTrouble[]): TroubleChanges {
  const changed = new Map(decision.changed.map((escalation) => [escalation.id, escalation]));
  const ended = new Set(calling.causes.flatMap(({ id, ended }) => (ended === undefined ? [] : [id])));
  const wanted = new Map<string, TroubleAlarm>();
  for (const known of [...calling.escalations, ...calling.exhausted]) {
    const escalation = changed.get(known.id) ?? known;
    // One that was discarded says so once.
    const isOver = ended.has(escalation.causeId) || (escalation.state === 'done' && escalation === known);
    if (isOver || escalation.trouble === undefined) continue;
    const alarm = troubleAlarm(escalation, escalation.trouble, calling);
    if (!wanted.has(alarm.path)) wanted.set(alarm.path, alarm);
  }
  for (const { channel, isSetUp } of channelsOutOfReach(decision.parts)) {
    wanted.set(`${channelPrefix}${channel}`, {
      path: `${channelPrefix}${channel}`,
      stationId: defaultStationId,
      message: { code: 'no-way', parameters: { channel, why: isSetUp ? 'down' : 'not-set-up' } },
    });
  }
  for (const channel of channelsNotServing(decision.parts)) {
    const message = { code: 'no-way', parameters: { channel, why: 'not-served' } } as const;
    wanted.set(`not-served/${channel}`, { path: `not-served/${channel}`, stationId: defaultStationId, message });
  }
  for (const channel of channelsWithoutLine(decision.parts)) {
    const message = { code: 'no-free-line', parameters: { channel } } as const;
    wanted.set(`no-free-line/${channel}`, { path: `no-free-line/${channel}`, stationId: defaultStationId, message });
  }
  const codes = new Map(raised.map(({ path, code }) => [path, code]));
  return {
    raise: [...wanted.values()].filter(({ path, message }) => codes.get(path) !== message.code),
    end: raised.flatMap(({ path, code }) => (wanted.get(path)?.message.code === code ? [] : [path])),
  };
}

function troubleAlarm({ id, target }: Escalation, { kind, groupId }: Trouble, calling: Calling): TroubleAlarm {
  const { snapshot } = calling.world;
  const about: CallTarget = groupId === undefined ? target : { kind: 'group', id: groupId };
  const group = about.kind === 'group' ? snapshot.groups.get(about.id) : undefined;
  const ofCause = calling.escalationRows.get(id)?.station_id ?? defaultStationId;
  const stationId = about.kind === 'last-resort' ? defaultStationId : (group?.stationId ?? ofCause);
  const parameters = { kind: about.kind, id: about.id, name: nameOf(about, snapshot, stationId) };
  const subject = about.kind === 'last-resort' ? 'last-resort' : `${about.kind}/${about.id}`;
  const onCallOf = about.kind === 'group' ? `${about.id}` : subject;
  if (kind === 'in-vain')
    return { path: `nobody-took-it/${subject}`, stationId, message: { code: 'called-in-vain', parameters } };
  const code = kind === 'locked' ? 'duty-locked' : 'nobody-on-call';
  return { path: `nobody-on-call/${onCallOf}`, stationId, message: { code, parameters } };
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
  const ended = raised.filter(({ path }) => end.includes(path));
  const left = raised.filter((one) => !ended.includes(one));
  const added = raise.filter(({ path }) => !left.some((one) => one.path === path));
  const present = [...left, ...added.map(({ path, message }) => ({ path, code: message.code }))];
  await setMeta(tx, metaKey, JSON.stringify(present));
  // That of a channel ends when the channel works again, whether somebody is to be called by it or not; that of a number is over at once.
  for (const { path } of ended) if (!isAboutWays(path)) await endOpenSystemAlarm(tx, now, path, 'end-calls');
  for (const alarm of added)
    await raiseSystemAlarm(tx, now, { ...alarm, priority: 2, isCalled: isAboutWays(alarm.path) });
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
