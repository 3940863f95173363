// Processes alarm reports: finds or creates the alarm of each tag, changes its definition and applies the transition.

import { systemCaller } from '../../../domain/access/access.ts';
import { definitionWarnings, problemsOf } from '../../../domain/alarms/actions.ts';
import { type AlarmCommand, newLife } from '../../../domain/alarms/alarm.ts';
import { commandOf, isCondition } from '../../../domain/alarms/condition.ts';
import {
  type AlarmDefinition,
  changedDefinition,
  type DefinitionChange,
  defaultPriority,
  emptyDefinition,
  rulesOf,
} from '../../../domain/alarms/definition.ts';
import { dueTransitions, transition } from '../../../domain/alarms/transition.ts';
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
import type { NewTag } from './naming.ts';
import { type AlarmReport, alarmReportCodec } from './report-message.ts';
import type { Location } from './resolve-location.ts';
import { problemAlarm, type SystemAlarm, systemReport } from './system-alarms.ts';

/** The alarm's id, and warnings about actions that cannot run. */
type AlarmReported = { readonly id: number; readonly warnings: readonly string[] };

export const reportAlarm = setOperation<AlarmReport, AlarmReported>('report-alarm', applyReports, alarmReportCodec);

/** Reports a list of alarms, each with its own result. */
export const reportAlarms = listOperation('report-alarms', reportAlarm);

/** Raises one of Tocsin's own alarms, as a report like any other. */
export async function raiseSystemAlarm(tx: Tx, now: Instant, alarm: SystemAlarm): Promise<void> {
  await applyReports(tx, [systemReport(now, alarm)]);
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
async function withForeignMarked(tx: Tx, jobs: readonly Job<AlarmReport>[]): Promise<readonly Job<AlarmReport>[]> {
  if (jobs.every(({ input }) => input.caller.stationIds.length === 0)) return jobs;
  const { snapshot } = await readCallConfiguration(tx);
  return jobs.map((job) => {
    const { caller, change } = job.input;
    const marked = foreignMarked(change, caller.stationIds, snapshot);
    return { ...job, input: { ...job.input, change: marked, changeJson: undefined } };
  });
}

/** Decides the reports up to the first that must wait for the next pass. */
function decideReports(tx: Tx, unit: AlarmUnitOfWork, gathered: GatheredReports): readonly JobResult<AlarmReported>[] {
  const results: JobResult<AlarmReported>[] = [];
  for (const report of gathered.reports) {
    const known = report.tag && unit.find(report.tag);
    if (known?.isRemoved && gathered.records.find(report.input.caller.actor, report.input.once) === undefined) break;
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
  const { now, input, location, refusal } = report;
  if (refusal !== undefined) throw refusal;
  const earlier = records.find(input.caller.actor, input.once);
  if (earlier !== undefined) return { id: earlier.alarmId, warnings: earlier.warnings };
  const known = report.tag && unit.find(report.tag);
  if (input.isStrict) refuseDoubts(unit, known?.alarm, input);
  const entry = known ?? unit.add(newAlarm(input, now, location, newTagOf(report)));
  const warnings = applyReport(tx, unit, entry, known !== undefined, input, now);
  records.add(now, input.caller.actor, input.once, { alarmId: entry.alarm.id, warnings });
  return { id: entry.alarm.id, warnings };
}

/** Applies a report to its alarm; returns warnings. */
function applyReport(
  tx: Tx,
  unit: AlarmUnitOfWork,
  entry: TrackedAlarm,
  isKnown: boolean,
  report: AlarmReport,
  now: Instant,
): readonly string[] {
  if (report.onlyAtRest && !isAtRest(entry.alarm)) return [];
  // Applied by the old rules: a delay that has elapsed is not extended by this report.
  unit.apply(entry, dueTransitions(entry.alarm.life, now), now, systemCaller);
  const { value: before } = entry.alarm;
  const by = { actor: report.caller.actor };
  if (isKnown) mergeDefinition(tx, unit, entry, report, now);
  const command = commandFor(isKnown ? report : onSafeSide(report), entry.alarm, before);
  // Everything due has been applied: a delay shortened by this report ends with it, not before it.
  const outcome = transition(entry.alarm.life, command, now);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  unit.apply(entry, [outcome], now, by);
  const problems = problemsOf(entry.alarm.definition, unit.actions.targets);
  // Tocsin's own alarms raise no alarms about themselves.
  if (by.actor !== systemCaller.actor) for (const problem of problems) unit.raise(problemAlarm(problem, entry.alarm));
  const doubtful = definitionWarnings(entry.alarm.definition);
  const warnings = [...problems, ...doubtful].map(({ field, sentence }) => `${field}: ${sentence}`);
  return command.kind === 'report' ? warnings : [...warnings, incomparableWarning(entry.alarm)];
}

function mergeDefinition(tx: Tx, unit: AlarmUnitOfWork, entry: TrackedAlarm, report: AlarmReport, now: Instant): void {
  const [sent] = newChange(tx, report, entry.alarm);
  const change = sent && permitted(report, entry.alarm.definition);
  const { value, priority, tagGroupId } = report;
  redefine(unit, entry, { value, priority, tagGroupId, change }, now, { actor: report.caller.actor });
  // A change with commands depends on the caller's rights, so it is not remembered as a no-op.
  if (sent !== undefined && change === sent && report.changeJson !== undefined)
    tx.cache?.(alarmCache).rememberNoOp(entry.alarm, report.changeJson);
}

/** Refuses a report that would be taken with warnings; nothing has been changed yet. */
function refuseDoubts(unit: AlarmUnitOfWork, known: AlarmRecord | undefined, report: AlarmReport): void {
  const before = known?.definition ?? emptyDefinition;
  const definition = changedDefinition(before, permitted(report, before));
  const found = [...problemsOf(definition, unit.actions.targets), ...definitionWarnings(definition)];
  if (found.length === 0) return;
  const errors = found.map(({ field, sentence }) => ({ field, message: sentence }));
  throw new AppError('unprocessable', `${errors[0]?.field}: ${errors[0]?.message}.`, { errors });
}

const mostUrgent = 1;

/** A new alarm whose `raised` could not be read is raised. */
function onSafeSide(report: AlarmReport): Pick<AlarmReport, 'raised' | 'value'> {
  return report.unreadable?.includes('raised') ? { raised: true, value: report.value } : report;
}

function incomparableWarning({ definition: { condition } }: AlarmRecord): string {
  return `value: cannot be held against the condition ${condition.value}, so the state of the alarm stays as it is`;
}

function isAtRest({ life }: AlarmRecord): boolean {
  return life.state === 0 && life.pendingSince === undefined;
}

/** An explicit `raised` wins; else the condition decides by the value; else a reported alarm is raised. */
function commandFor(
  { raised, value }: Pick<AlarmReport, 'raised' | 'value'>,
  { definition }: AlarmRecord,
  before: string,
): AlarmCommand {
  const condition = definition.condition.value;
  if (raised !== undefined || value === undefined || !isCondition(condition))
    return { kind: 'report', isRaised: raised ?? true };
  return commandOf(condition, value, before);
}

function newAlarm(
  report: AlarmReport,
  now: Instant,
  location: Location | undefined,
  tag: NewTag | undefined,
): AlarmRecord {
  if (location === undefined || tag === undefined) throw new Error('A new alarm has no location or no name');
  const definition = changedDefinition(emptyDefinition, permitted(report, emptyDefinition));
  return {
    ...neverRaised,
    ...location,
    ...tag,
    tagGroupId: report.tagGroupId,
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
