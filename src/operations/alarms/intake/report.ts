// Processes alarm reports: finds or creates the alarm of each tag, changes its definition and applies the transition.

import { systemCaller } from '../../../domain/access/access.ts';
import { definitionWarnings, problemsOf } from '../../../domain/alarms/actions.ts';
import { type AlarmCommand, newLife, type ReportCommand } from '../../../domain/alarms/alarm.ts';
import { commandOf, isCondition } from '../../../domain/alarms/condition.ts';
import {
  type AlarmDefinition,
  changedDefinition,
  type DefinitionChange,
  defaultPriority,
  emptyDefinition,
  rulesOf,
} from '../../../domain/alarms/definition.ts';
import { dueTransitions, isOutdated, isPossible, transition } from '../../../domain/alarms/transition.ts';
import { foreignMarked } from '../../../domain/alarms/visible-targets.ts';
import { permittedChange } from '../../../domain/script.ts';
import { AppError } from '../../../errors.ts';
import { listOperation } from '../../../store/list-operation.ts';
import { type Instant, type Job, type JobResult, setOperation, type Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../unit-of-work.ts';
import { alarmCache } from '../cache.ts';
import type { TrackedAlarm } from '../reaction.ts';
import { type AlarmRecord, neverRaised } from '../record.ts';
import { redefine } from '../redefine.ts';
import type { AlarmUnitOfWork } from '../unit-of-work.ts';
import { type GatheredReports, gatherReports, type LocatedReport, newChange } from './gather-reports.ts';
import { otherBodyError, otherBodyWarning } from './idempotency.ts';
import type { NewTag } from './naming.ts';
import { type AlarmReport, alarmReportCodec } from './report-message.ts';
import type { LeftOut, Located } from './resolve-location.ts';
import {
  chatteringAlarm,
  grownChange,
  type OwnCalls,
  overReport,
  type SystemAlarm,
  systemReport,
  unusableAlarm,
} from './system-alarms.ts';

/** The alarm's id, and warnings about what cannot be used or run. */
export type AlarmReported = {
  /** 0 for a report that was left out because its tag has no alarm. */
  readonly id: number;
  readonly warnings: readonly string[];
  /** The data server of its tag; not set for a repeated request. */
  readonly dataServerId?: number;
  /** When the alarm changed last, for a report with `unchangedSince`: the next one of the same retry may follow it. */
  readonly lastChange?: Instant;
};

export const reportAlarm = {
  ...setOperation<AlarmReport, AlarmReported>('report-alarm', applyReports, alarmReportCodec),
  isIntake: true,
} as const;

/** Reports a list of alarms, each with its own result. */
export const reportAlarms = { ...listOperation('report-alarms', reportAlarm), isIntake: true } as const;

/** Raises one of Tocsin's own alarms, as a report like any other. */
export async function raiseSystemAlarm(tx: Tx, now: Instant, alarm: SystemAlarm): Promise<void> {
  await raiseSystemAlarms(tx, now, [alarm]);
}

export async function raiseSystemAlarms(tx: Tx, now: Instant, alarms: readonly SystemAlarm[]): Promise<void> {
  if (alarms.length > 0)
    await applyReports(
      tx,
      alarms.map((alarm) => systemReport(now, alarm)),
    );
}

/** One of Tocsin's own alarms, which must exist. */
type OwnAlarm = { readonly path: string; readonly stationId: number };

/** Returns it to normal. */
export function endSystemAlarm(tx: Tx, now: Instant, path: string, stationId: number, calls: OwnCalls): Promise<void> {
  return endSystemAlarms(tx, now, [{ path, stationId }], calls);
}

export async function endSystemAlarms(
  tx: Tx,
  now: Instant,
  alarms: readonly OwnAlarm[],
  calls: OwnCalls,
): Promise<void> {
  if (alarms.length > 0)
    await applyReports(
      tx,
      alarms.map(({ path, stationId }) => overReport(now, path, stationId, calls)),
    );
}

/** Writes a unit of work, then raises the alarms of Tocsin's own that it asked for. */
export async function writeUnitOfWork(tx: Tx, now: Instant, { alarms }: UnitOfWork): Promise<void> {
  await alarms.write();
  const own = alarms.systemAlarms.map((alarm) => systemReport(now, alarm));
  if (own.length > 0) await applyReports(tx, own);
}

/**
 * Applies the reports in passes. A pass ends early if a report is for an alarm that an earlier report of the pass
 * removed: that report creates a new alarm in the next pass.
 */
async function applyReports(tx: Tx, sent: readonly Job<AlarmReport>[]): Promise<readonly JobResult<AlarmReported>[]> {
  const jobs = await withForeignMarked(tx, sent);
  const now = Math.max(...jobs.map((job) => job.now));
  const results: JobResult<AlarmReported>[] = [];
  while (results.length < jobs.length) {
    const unit = beginUnitOfWork(tx, now);
    const gathered = await gatherReports(tx, unit.alarms, jobs.slice(results.length));
    results.push(...decideReports(tx, unit.alarms, gathered));
    await gathered.records.write(tx);
    await writeUnitOfWork(tx, now, unit);
  }
  return results;
}

/** Marks the call targets that a caller bound to stations does not see, so that they are not called. */
export async function withForeignMarked(
  tx: Tx,
  jobs: readonly Job<AlarmReport>[],
): Promise<readonly Job<AlarmReport>[]> {
  if (jobs.every(({ input }) => input.caller.stationIds.length === 0)) return jobs;
  const { snapshot } = await readCallConfiguration(tx);
  return jobs.map((job) => {
    const { caller, change } = job.input;
    const marked = foreignMarked(change, caller.stationIds, snapshot);
    return { ...job, input: { ...job.input, change: marked, changeJson: undefined } };
  });
}

/** Decides the reports up to the first that must wait for the next pass. */
export function decideReports(
  tx: Tx,
  unit: AlarmUnitOfWork,
  gathered: GatheredReports,
): readonly JobResult<AlarmReported>[] {
  const results: JobResult<AlarmReported>[] = [];
  for (const report of gathered.reports) {
    const known = report.tag && unit.find(report.tag);
    if (known?.isRemoved && !gathered.records.has(report.input.caller.actor, report.input.once)) break;
    results.push(resultOf(() => decideReport(tx, unit, report, gathered)));
  }
  return results;
}

/** Turns a refusal into the result of its own report; any other error fails the whole set. */
export function resultOf<T>(decide: () => T): JobResult<T> {
  try {
    return { kind: 'done', outcome: decide() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'failed', error };
  }
}

function decideReport(
  tx: Tx,
  unit: AlarmUnitOfWork,
  report: LocatedReport,
  { records, newTagOf }: GatheredReports,
): AlarmReported {
  const { now, input, located } = report;
  const { actor } = input.caller;
  const earlier = records.find(actor, input.once);
  if (earlier !== undefined) return { id: earlier.alarmId, warnings: earlier.warnings };
  const isOtherBody = records.isOtherBody(actor, input.once);
  if (isOtherBody && input.isStrict) throw otherBodyError();
  if (located === undefined) throw new Error('A report has no location');
  const known = report.tag && unit.find(report.tag);
  if (known === undefined && input.onlyIfKnown) return { id: 0, warnings: [] };
  if (input.isStrict || input.unchangedSince !== undefined)
    refuseUnwanted(input, [...located.leftOut, ...doubtsOf(unit, report, known?.alarm)], known?.alarm);
  const entry = known ?? unit.add(newAlarm(input, now, located, newTagOf(report)));
  const ofAlarm = applyReport({ tx, unit, report: input, located, now }, entry, known !== undefined);
  const ofRequest = [...located.leftOut.map(printed), ...(isOtherBody ? [otherBodyWarning] : [])];
  const warnings = ofRequest.length === 0 ? ofAlarm : [...ofRequest, ...ofAlarm];
  records.add(now, actor, input.once, { alarmId: entry.alarm.id, warnings });
  return { id: entry.alarm.id, warnings, dataServerId: entry.alarm.dataServerId, ...lastChangeFor(input, entry) };
}

export function lastChangeFor(
  { unchangedSince }: Pick<AlarmReport, 'unchangedSince'>,
  { alarm }: TrackedAlarm,
): Pick<AlarmReported, 'lastChange'> {
  return unchangedSince === undefined ? {} : { lastChange: alarm.life.lastChange };
}

type FieldSentence = Pick<LeftOut, 'field' | 'sentence'>;

export function printed({ field, sentence }: FieldSentence): string {
  return `${field}: ${sentence}`;
}

/** Refuses a report on the terms of its sender, before it has changed anything. */
export function refuseUnwanted(
  { isStrict, unchangedSince = Number.POSITIVE_INFINITY }: Pick<AlarmReport, 'isStrict' | 'unchangedSince'>,
  doubts: readonly FieldSentence[],
  known: AlarmRecord | undefined,
): void {
  if (known !== undefined && known.life.lastChange > unchangedSince)
    throw new AppError('changed-since', `Alarm ${known.id}, "${known.name}", has changed since.`);
  const [first] = doubts;
  if (isStrict !== true || first === undefined) return;
  const errors = doubts.map(({ field, sentence }) => ({ field, message: sentence }));
  throw new AppError('unprocessable', `${printed(first)}.`, { errors });
}

/** Returns what a strict report would be refused for, besides its location. */
function doubtsOf(
  unit: AlarmUnitOfWork,
  { input: report, now }: Pick<LocatedReport, 'input' | 'now'>,
  known: AlarmRecord | undefined,
): FieldSentence[] {
  const before = known?.definition ?? emptyDefinition;
  const definition = changedDefinition(before, permitted(report, before));
  const isCompared = commandFor(report, { definition }, known?.value ?? '').kind === 'report';
  return [
    ...problemsOf(definition, unit.actions.targets),
    ...definitionWarnings(definition),
    ...(isCompared ? [] : [{ field: 'value', sentence: incomparable(definition) }]),
    ...(hasWrongTime(report, now) ? [impossible] : []),
    ...(known !== undefined && isOlder(report, known, now) ? [older] : []),
  ];
}

const impossible = {
  field: 'time',
  sentence: 'is more than a minute ahead of the clock of the server, or a year behind it, so it counts as now',
};
const older = { field: 'time', sentence: 'is older than the last report of the alarm, which stays as it is' };

const staleReport: AlarmCommand = { kind: 'stale' };

type Timed = Pick<AlarmReport, 'time'>;

function hasWrongTime({ time }: Timed, now: Instant): boolean {
  return time !== undefined && !isPossible(time, now);
}

function isOlder(report: Timed, { life }: AlarmRecord, now: Instant): boolean {
  return report.time !== undefined && !hasWrongTime(report, now) && isOutdated(life, report.time, now);
}

/** The command with the time of its report, if that can be. */
function timed(command: ReportCommand, report: Timed, now: Instant): ReportCommand {
  return report.time === undefined || hasWrongTime(report, now) ? command : { ...command, sourceTime: report.time };
}

/** A report that is being taken. */
type TakenReport = {
  readonly tx: Tx;
  readonly unit: AlarmUnitOfWork;
  readonly report: AlarmReport;
  readonly located: Located;
  readonly now: Instant;
};

/** Applies a report to its alarm; returns warnings. */
function applyReport(taken: TakenReport, entry: TrackedAlarm, isKnown: boolean): readonly string[] {
  const { unit, report, located, now } = taken;
  if (report.unlessAtRest !== undefined && !isAtRest(entry.alarm)) {
    if (report.unlessAtRest === 'grow') growMessage(taken, entry);
    return [];
  }
  // Applied by the old rules: a delay that has elapsed is not extended by this report.
  unit.apply(entry, dueTransitions(entry.alarm.life, now, unit.lead), now, systemCaller);
  const { value: before } = entry.alarm;
  const by = { actor: report.caller.actor };
  const isOld = isOlder(report, entry.alarm, now);
  if (isKnown && !isOld) mergeDefinition(taken, entry);
  const command = isOld
    ? staleReport
    : timed(commandFor(isKnown ? report : onSafeSide(report), entry.alarm, before), report, now);
  // Everything due has been applied: a delay shortened by this report ends with it, not before it.
  const outcome = transition(entry.alarm.life, command, now);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  const endsCalls = report.endsCalls === true && outcome.reason === 'returned';
  unit.apply(entry, [endsCalls ? { ...outcome, runningCalls: 'end' } : outcome], now, by);
  if (isOld) return [printed(older)];
  const problems = problemsOf(entry.alarm.definition, unit.actions.targets);
  const unusable = [
    ...located.leftOut.filter(({ changesCalls }) => changesCalls).map(printed),
    ...(report.unusable ?? []),
    ...problems.map(printed),
  ];
  // Tocsin's own alarms raise no alarms about themselves.
  if (unusable.length > 0 && by.actor !== systemCaller.actor)
    unit.raise(unusableAlarm(by.actor, unusable, entry.alarm));
  const warnings = [...problems, ...definitionWarnings(entry.alarm.definition)].map(printed);
  if (hasWrongTime(report, now)) warnings.push(printed(impossible));
  if (outcome.reason === 'chattering') warnings.push(warnOfChatter(unit, by.actor, entry.alarm));
  return command.kind === 'report' ? warnings : [...warnings, `value: ${incomparable(entry.alarm.definition)}`];
}

/** Adds the new lines of the message to an alarm that is not at rest; nothing else about it changes. */
function growMessage({ unit, report, now }: TakenReport, entry: TrackedAlarm): void {
  const change = grownChange(entry.alarm.definition, report.change);
  redefine(unit, entry, { change }, now, { actor: report.caller.actor });
}

function mergeDefinition({ tx, unit, report, located, now }: TakenReport, entry: TrackedAlarm): void {
  const [sent] = newChange(tx, report, entry.alarm);
  const change = sent && permitted(report, entry.alarm.definition);
  const { value, priority } = report;
  const { tagGroupId } = located;
  redefine(unit, entry, { value, priority, tagGroupId, change }, now, { actor: report.caller.actor });
  // A change with commands depends on the caller's rights, so it is not remembered as a no-op.
  if (sent !== undefined && change === sent && report.changeJson !== undefined)
    tx.cache?.(alarmCache).rememberNoOp(entry.alarm, report.changeJson);
}

const chattering =
  'it has begun more than 60 occurrences within a minute, so its return to normal counts when it has lasted 10 s';

/** Raises the alarm about a source whose alarm chatters; returns the warning for the source. */
export function warnOfChatter(unit: AlarmUnitOfWork, actor: string, alarm: AlarmRecord): string {
  if (actor !== systemCaller.actor) unit.raise(chatteringAlarm(actor, alarm));
  return `raised: ${chattering}`;
}

const mostUrgent = 1;

/** A new alarm whose `raised` could not be read is raised. */
function onSafeSide(report: AlarmReport): Pick<AlarmReport, 'raised' | 'value'> {
  return report.unreadable?.includes('raised') ? { raised: true, value: report.value } : report;
}

function incomparable({ condition }: AlarmDefinition): string {
  return `cannot be held against the condition ${condition.value}, so the state of the alarm stays as it is`;
}

function isAtRest({ life }: AlarmRecord): boolean {
  return life.state === 0 && life.pendingSince === undefined;
}

/** An explicit `raised` wins; else the condition decides by the value; else a reported alarm is raised. */
function commandFor(
  { raised, value }: Pick<AlarmReport, 'raised' | 'value'>,
  { definition }: Pick<AlarmRecord, 'definition'>,
  before: string,
): ReportCommand {
  const condition = definition.condition.value;
  if (raised !== undefined || value === undefined || !isCondition(condition))
    return { kind: 'report', isRaised: raised ?? true };
  return commandOf(condition, value, before);
}

function newAlarm(
  report: AlarmReport,
  now: Instant,
  { location, tagGroupId }: Located,
  tag: NewTag | undefined,
): AlarmRecord {
  if (tag === undefined) throw new Error('A new alarm has no name');
  const definition = changedDefinition(emptyDefinition, permitted(report, emptyDefinition));
  return {
    ...neverRaised,
    ...location,
    ...tag,
    tagGroupId,
    priority: report.priority ?? (report.unreadable?.includes('priority') ? mostUrgent : defaultPriority),
    value: report.value ?? '',
    definition,
    life: newLife(rulesOf(definition), now),
    createdAt: now,
  };
}

/** Returns the part of the change that the caller is permitted to make. */
function permitted({ change, caller }: AlarmReport, before: AlarmDefinition): DefinitionChange {
  return permittedChange(change, caller.mayRunCommands === true, before);
}
