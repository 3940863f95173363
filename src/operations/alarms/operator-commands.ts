// Operator commands on an alarm: acknowledge, reset, mask, unmask, comment, remove its definition; and due timers.

import { type Caller, seesPerson, seesStation, systemCaller } from '../../domain/access/access.ts';
import { type AlarmCommand, isUntaken, type RefusalReason } from '../../domain/alarms/alarm.ts';
import { advance, dueTransitions } from '../../domain/alarms/transition.ts';
import { acknowledgementMs, type PolicySettings } from '../../domain/calls/call.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import {
  type Instant,
  type Job,
  type JobResult,
  type Operation,
  type Query,
  setOperation,
  type Tx,
} from '../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../configuration/call-configuration.ts';
import { type IfMatch, refuseOtherTag } from '../entity-tag.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { alarmTagOf } from './alarm-tag.ts';
import { resultOf, writeUnitOfWork } from './intake/report.ts';
import type { Acknowledger, ChangedBy, TrackedAlarm } from './reaction.ts';
import { type AlarmRecord, nextDueOf } from './record.ts';
import { setDue } from './write-alarms.ts';

const refusals: Record<RefusalReason, readonly [code: ErrorCode, sentence: string, field?: string]> = {
  'nothing-to-acknowledge': ['already-done', 'The alarm is at rest: there is nothing to acknowledge.'],
  'already-acknowledged': ['already-done', 'The alarm is acknowledged already.'],
  'not-active': ['already-done', 'The alarm is not active: there is nothing to reset.'],
  'not-latched': ['unprocessable', 'The alarm returns to normal by itself and cannot be reset by hand.'],
  'still-active': [
    'unprocessable',
    'The condition still holds: the alarm can be reset when its source has returned to normal.',
  ],
  'not-masked': ['already-done', 'The alarm is not masked.'],
  'mask-reason-missing': ['unprocessable', 'A mask needs a reason.', 'reason'],
  'mask-end-past': ['unprocessable', 'A mask must end in the future.', 'until'],
};

type OperatorCommand = Extract<AlarmCommand, { kind: 'acknowledge' | 'reset' | 'mask' | 'unmask' }>;

type CommandAlarm = {
  readonly caller: Caller;
  readonly id: number;
  readonly command: OperatorCommand;
  readonly by: Acknowledger;
  /** The user who takes the alarm, if it is not the caller. */
  readonly onBehalfOf?: number | undefined;
};

/**
 * Several are carried out together, so that whoever acknowledges the alarms of a storm holds up nobody. A pass ends before an alarm
 * comes a second time: the second command is decided on what the first has stored.
 */
export const commandAlarm = setOperation<CommandAlarm, void>('command-alarm', async (tx, jobs) => {
  const results: JobResult<void>[] = [];
  while (results.length < jobs.length) results.push(...(await runPass(tx, passOf(jobs.slice(results.length)))));
  return results;
});

function passOf(jobs: readonly Job<CommandAlarm>[]): readonly Job<CommandAlarm>[] {
  const ids = new Set<number>();
  const again = jobs.findIndex(({ input: { id } }) => {
    const isKnown = ids.has(id);
    ids.add(id);
    return isKnown;
  });
  return again < 0 ? jobs : jobs.slice(0, again);
}

async function runPass(tx: Tx, jobs: readonly Job<CommandAlarm>[]): Promise<readonly JobResult<void>[]> {
  const now = Math.max(...jobs.map((job) => job.now));
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load(jobs.map(({ input }) => input.id));
  const kinds = new Set(jobs.map(({ input }) => input.command.kind));
  await unit.alarms.gather([], kinds.has('acknowledge') ? 'acknowledge' : undefined);
  if (kinds.has('mask')) await unit.alarms.learnLead();
  const configuration = await readCallConfiguration(tx);
  const results = jobs.map((job) => resultOf(() => carryOut(unit, job, configuration)));
  await writeUnitOfWork(tx, now, unit);
  return results;
}

/** Throws why the command is refused. */
function carryOut(unit: UnitOfWork, { now, input }: Job<CommandAlarm>, configuration: CallConfiguration): void {
  const { caller, id, command: given, onBehalfOf } = input;
  const entry = seen(unit, id, caller);
  const by = onBehalfOf === undefined ? input.by : personNamed(onBehalfOf, caller, configuration);
  const command =
    given.kind === 'acknowledge'
      ? lasting({ ...given, by: by.name }, entry.alarm.priority, configuration.policy)
      : given;
  const refusal = applyCommand(unit, entry, command, now, { actor: caller.actor, origin: caller, acknowledger: by });
  if (refusal === undefined) return;
  const [code, sentence, field] = refusals[refusal];
  throw new AppError(code, sentence, field === undefined ? {} : { errors: [{ field, message: sentence }] });
}

type Acknowledge = Extract<AlarmCommand, { kind: 'acknowledge' }>;

/** Returns the command with the time after which the call policy lets it expire. */
export function lasting(command: Acknowledge, priority: number, policy: PolicySettings): Acknowledge {
  const lastsMs = acknowledgementMs(priority, policy);
  return lastsMs === undefined ? command : { ...command, lastsMs };
}

/** Returns the user as who takes the alarm. */
function personNamed(id: number, caller: Caller, { snapshot }: CallConfiguration): Acknowledger {
  const person = snapshot.people.get(id);
  if (person !== undefined && seesPerson(caller, person)) return { name: person.name, userId: id };
  const message = 'names a user who does not exist';
  throw new AppError('unprocessable', `onBehalfOf ${message}.`, { errors: [{ field: 'onBehalfOf', message }] });
}

/** Applies a command of a person, whether given on a console or on a telephone; returns why it is refused. */
export function applyCommand(
  { alarms }: UnitOfWork,
  entry: TrackedAlarm,
  command: OperatorCommand,
  now: Instant,
  by: ChangedBy,
): RefusalReason | undefined {
  const { due, outcome } = advance(entry.alarm.life, command, now, alarms.lead);
  if (outcome.kind === 'refused') return outcome.reason;
  // What was due before the command is not the work of whoever gave it.
  alarms.apply(entry, due, now, systemCaller);
  alarms.apply(entry, [outcome], now, by);
  return undefined;
}

export const commentAlarm: Operation<{ caller: Caller; id: number; comment: string }, void> = {
  name: 'comment-alarm',
  async run(tx, now, { caller, id, comment }) {
    const unit = beginUnitOfWork(tx, now);
    const entry = await existing(unit, id, caller);
    await unit.alarms.gather([], 'comment');
    // The occurrence of a delay that has ended begins before the comment, which is on it.
    unit.alarms.apply(entry, dueTransitions(entry.alarm.life, now, unit.alarms.lead), now, systemCaller);
    unit.alarms.comment(entry, comment, now, { actor: caller.actor, origin: caller });
    await writeUnitOfWork(tx, now, unit);
  },
};

/** Removes the definition; the history stays. An alarm that people may be called for is not removed: that would silence it. */
export const deleteAlarm: Operation<{ caller: Caller; id: number; ifMatch: IfMatch }, void> = {
  name: 'delete-alarm',
  async run(tx, now, { caller, id, ifMatch }) {
    const unit = beginUnitOfWork(tx, now);
    const entry = await existing(unit, id, caller);
    refuseSystemAlarm(entry.alarm);
    if (ifMatch !== undefined) refuseOtherTag(alarmTagOf(entry.alarm), ifMatch);
    await unit.alarms.gather();
    unit.alarms.apply(entry, dueTransitions(entry.alarm.life, now, unit.alarms.lead), now, systemCaller);
    refuseUntaken(entry.alarm);
    unit.alarms.remove(entry, now, { actor: caller.actor, origin: caller });
    await writeUnitOfWork(tx, now, unit);
  },
};

/** Small enough not to delay other operations; the caller repeats the operation until nothing is due. */
const dueBatchSize = 100;

/**
 * Applies the transitions that are due (elapsed delays, expired masks and acknowledgements) and tells gathered news: of all
 * alarms that are due, or of one. Returns the ids of alarms that are due again at once.
 */
export const runDueAlarms: Operation<{ readonly onlyId?: number }, readonly number[]> = {
  name: 'run-due-alarms',
  async run(tx, now, { onlyId }) {
    const found = await tx.all(selectDue, { now, limit: dueBatchSize });
    const due = found.filter(({ id }) => onlyId === undefined || id === onlyId);
    const unit = beginUnitOfWork(tx, now);
    await unit.alarms.load(due.map(({ id }) => id));
    await unit.alarms.gather();
    for (const { id } of due) {
      const entry = unit.alarms.get(id);
      if (entry === undefined) continue;
      unit.alarms.apply(entry, dueTransitions(entry.alarm.life, now, unit.alarms.lead), now, systemCaller);
      unit.alarms.tellNews(entry, now, systemCaller);
    }
    await writeUnitOfWork(tx, now, unit);
    const left = due.flatMap(({ id }) => unit.alarms.get(id) ?? []).filter(({ isRemoved }) => !isRemoved);
    const isDue = ({ alarm }: TrackedAlarm): boolean =>
      (nextDueOf(alarm, unit.alarms.lead) ?? Number.POSITIVE_INFINITY) <= now;
    await waitForMasks(
      tx,
      now,
      unit,
      left.filter((entry) => !isDue(entry)),
    );
    return left.filter(isDue).map(({ alarm }) => alarm.id);
  },
};

/** Masks end by the clock of the database: while ours is ahead of it, they are looked at again when that is there. */
async function waitForMasks(
  tx: Tx,
  now: Instant,
  { alarms }: UnitOfWork,
  entries: readonly TrackedAlarm[],
): Promise<void> {
  const masked = entries.filter(({ alarm }) => (nextDueOf(alarm) ?? now + 1) <= now);
  if (masked.length === 0) return;
  const { when } = await alarms.learnLead();
  const dueAt = (alarm: AlarmRecord): number => nextDueOf(alarm, when(alarm.life.mask?.until ?? now)) ?? now;
  await setDue(
    tx,
    masked.map(({ alarm }) => ({ id: alarm.id, next_due: Math.max(dueAt(alarm), now + 1) })),
  );
}

/** The ids of the alarms that are due, as many as are run at once. */
export const listDueAlarms: Query<{ readonly now: Instant }, readonly number[]> = {
  name: 'list-due-alarms',
  run: async (tx, { now }) => (await tx.all(selectDue, { now, limit: dueBatchSize })).map(({ id }) => id),
};

/** A source may send and remove alarms, but not those by which Tocsin says what is wrong. */
export function refuseSystemAlarm({ isSystem }: AlarmRecord): void {
  if (!isSystem) return;
  throw new AppError('unprocessable', 'This is an alarm of Tocsin itself: it goes when it is acknowledged.');
}

function refuseUntaken({ life }: AlarmRecord): void {
  if (!isUntaken(life)) return;
  throw new AppError(
    'not-acknowledged',
    'Nobody has taken the alarm yet, and removing it would end its calls: acknowledge or mask it first.',
  );
}

async function existing(unit: UnitOfWork, id: number, caller: Caller): Promise<TrackedAlarm> {
  await unit.alarms.load([id]);
  return seen(unit, id, caller);
}

function seen({ alarms }: UnitOfWork, id: number, caller: Caller): TrackedAlarm {
  const entry = alarms.get(id);
  if (entry === undefined || !seesStation(caller, entry.alarm.stationId))
    throw new AppError('not-found', `There is no alarm ${id}.`);
  return entry;
}

const selectDue = statement((db, args: { now: number; limit: number }) =>
  db.selectFrom('alarms').select('id').where('next_due', '<=', args.now).orderBy('next_due').limit(args.limit),
);
