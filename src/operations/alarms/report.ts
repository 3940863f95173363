// Processes alarm reports: finds or creates the alarm of each tag, changes its definition and applies the transition.

import { systemCaller } from '../../domain/access/access.ts';
import { definitionWarnings, type Problem, problemsOf } from '../../domain/alarms/actions.ts';
import { type AlarmCommand, newLife } from '../../domain/alarms/alarm.ts';
import { commandOf, isCondition } from '../../domain/alarms/condition.ts';
import {
  type AlarmDefinition,
  changedDefinition,
  type DefinitionChange,
  defaultPriority,
  emptyDefinition,
  rulesOf,
} from '../../domain/alarms/definition.ts';
import { dueTransitions, transition } from '../../domain/alarms/transition.ts';
import { foreignMarked } from '../../domain/calls/visible-targets.ts';
import { permittedChange } from '../../domain/script.ts';
import { AppError } from '../../errors.ts';
import { listOperation } from '../../store/list-operation.ts';
import { type Instant, type Job, type JobResult, setOperation, type Tx } from '../../store/store.ts';
import { readCallConfiguration } from '../calls/configuration.ts';
import { applyTransitions } from './apply-transitions.ts';
import { alarmCache } from './cache.ts';
import { type IdempotencyRecords, readIdempotencyRecords } from './idempotency.ts';
import { type NewTag, nameAlarms } from './naming.ts';
import type { AlarmRecord } from './record.ts';
import { type AlarmReport, alarmReportCodec } from './report-message.ts';
import { type Location, Locations } from './resolve-location.ts';
import { AlarmUnitOfWork, type Tag, type TrackedAlarm } from './unit-of-work.ts';

/** The alarm's id, and warnings about actions that cannot run. */
type AlarmReported = { readonly id: number; readonly warnings: readonly string[] };

export const reportAlarm = setOperation<AlarmReport, AlarmReported>('report-alarm', applyReports, alarmReportCodec);

async function applyReports(tx: Tx, sent: readonly Job<AlarmReport>[]): Promise<readonly JobResult<AlarmReported>[]> {
  const jobs = await withForeignMarked(tx, sent);
  const results: JobResult<AlarmReported>[] = [];
  while (results.length < jobs.length)
    results.push(...(await new ReportPass(tx, jobs.slice(results.length), 'of-callers').run()));
  return results;
}

/** Reports a list of alarms, each with its own result. */
export const reportAlarms = listOperation('report-alarms', reportAlarm);

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

/**
 * One pass over the reports of a set. A pass ends early if a report is for an alarm that an earlier report of the pass
 * removed: that report creates a new alarm in the next pass.
 */
class ReportPass {
  readonly #tx: Tx;
  readonly #jobs: readonly Job<AlarmReport>[];
  readonly #unit: AlarmUnitOfWork;
  readonly #problems = new Map<string, Job<AlarmReport>>();
  readonly #origin: 'of-callers' | 'our-own';

  constructor(tx: Tx, jobs: readonly Job<AlarmReport>[], origin: 'of-callers' | 'our-own') {
    this.#tx = tx;
    this.#jobs = jobs;
    this.#origin = origin;
    this.#unit = new AlarmUnitOfWork(tx);
  }

  async run(): Promise<readonly JobResult<AlarmReported>[]> {
    const reports = this.#jobs.map(({ input }) => input);
    const changes = reports.flatMap((report) => this.#newChange(report, this.#likelyAlarm(report)));
    const [records, locations] = await Promise.all([
      readIdempotencyRecords(this.#tx, this.#jobs),
      Locations.load(this.#tx, reports),
      this.#unit.prefetch(reports.flatMap(likelyTag), changes, reports.filter(isLikelyRaised).length),
    ]);
    const located = this.#jobs.map((job) => locate(job, locations, records));
    await this.#unit.loadByTag(located.flatMap(({ tag }) => (tag === undefined ? [] : [tag])));
    const newTags = await this.#nameNew(located);
    await this.#unit.resolveTargets(
      located.flatMap(({ input, tag }) => this.#newChange(input, tag && this.#unit.find(tag)?.alarm)),
    );
    const results: JobResult<AlarmReported>[] = [];
    for (const job of located) {
      const result = this.#apply(job, newTags, records);
      if (result === undefined) break;
      results.push(result);
    }
    await this.#unit.write();
    await records.write(this.#tx);
    if (this.#problems.size > 0) await new ReportPass(this.#tx, [...this.#problems.values()], 'our-own').run();
    return results;
  }

  #likelyAlarm(report: AlarmReport): AlarmRecord | undefined {
    const [tag] = likelyTag(report);
    return tag && this.#tx.cache?.(alarmCache).find(...tag);
  }

  /** Returns the requested change; empty if the cache knows that it would change nothing. */
  #newChange(report: AlarmReport, alarm: AlarmRecord | undefined): readonly [DefinitionChange] | readonly [] {
    const { changeJson } = report;
    const isOld =
      alarm !== undefined && changeJson !== undefined && this.#tx.cache?.(alarmCache).isKnownNoOp(alarm, changeJson);
    return isOld ? [] : [report.change];
  }

  /** Assigns ids and names to new alarms. Reports of the same new path share one. */
  async #nameNew(located: readonly LocatedReport[]): Promise<ReadonlyMap<string | LocatedReport, NewTag>> {
    const wanted = new Map<string | LocatedReport, { path: string | undefined; location: Location }>();
    const seenKeys = new Set<string>();
    for (const job of located) {
      const { caller, once } = job.input;
      // A request sent twice in one set is one alarm; an id that was assigned must be used.
      const isRepeated = once !== undefined && seenKeys.has(`${caller.actor} ${once.key}`);
      if (once !== undefined) seenKeys.add(`${caller.actor} ${once.key}`);
      const isKnown = job.tag !== undefined && this.#unit.find(job.tag) !== undefined;
      if (job.location === undefined || isKnown || isRepeated) continue;
      wanted.set(keyOf(job), { path: job.input.path, location: job.location });
    }
    return wanted.size === 0 ? new Map() : nameAlarms(this.#tx, wanted);
  }

  /** Returns undefined if the report must wait for the next pass. */
  #apply(
    job: LocatedReport,
    newTags: ReadonlyMap<string | LocatedReport, NewTag>,
    records: IdempotencyRecords,
  ): JobResult<AlarmReported> | undefined {
    const { now, input, location, refusal } = job;
    try {
      if (refusal !== undefined) throw refusal;
      const earlier = records.find(input.caller.actor, input.once);
      if (earlier !== undefined) return { kind: 'done', outcome: { id: earlier.alarmId, warnings: earlier.warnings } };
      const known = job.tag && this.#unit.find(job.tag);
      if (known?.isRemoved) return undefined;
      const entry = known ?? this.#add(job, location, newTags.get(keyOf(job)));
      const warnings = this.#report(entry, known !== undefined, input, now);
      records.add(now, input.caller.actor, input.once, { alarmId: entry.alarm.id, warnings });
      return { kind: 'done', outcome: { id: entry.alarm.id, warnings } };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'failed', error };
    }
  }

  #add({ now, input }: LocatedReport, location: Location | undefined, tag: NewTag | undefined): TrackedAlarm {
    if (location === undefined || tag === undefined) throw new Error('A new alarm has no location or no name');
    return this.#unit.add(newAlarm(input, now, location, tag));
  }

  #report(entry: TrackedAlarm, isKnown: boolean, report: AlarmReport, now: Instant): readonly string[] {
    if (report.onlyAtRest && !isAtRest(entry.alarm)) return [];
    const change = { now, actor: report.caller.actor };
    // Applied by the old rules: a delay that has elapsed is not extended by this report.
    applyTransitions(this.#unit, entry, dueTransitions(entry.alarm.life, now), {
      ...change,
      actor: systemCaller.actor,
    });
    const { value: before } = entry.alarm;
    if (isKnown) this.#redefine(entry, report, now);
    const command = commandFor(report, entry.alarm, before);
    // Everything due has been applied: a delay shortened by this report ends with it, not before it.
    const outcome = transition(entry.alarm.life, command, now);
    if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
    applyTransitions(this.#unit, entry, [outcome], change);
    const problems = problemsOf(entry.alarm.definition, this.#unit.targets);
    // Problems of Tocsin's own alarms raise no further alarms, to avoid endless recursion.
    if (this.#origin === 'of-callers') for (const problem of problems) this.#collectProblem(problem, entry.alarm, now);
    const doubtful = definitionWarnings(entry.alarm.definition);
    const warnings = [...problems, ...doubtful].map(({ field, sentence }) => `${field}: ${sentence}`);
    return command.kind === 'report' ? warnings : [...warnings, incomparableWarning(entry.alarm)];
  }

  #redefine(entry: TrackedAlarm, report: AlarmReport, now: Instant): void {
    const [newChange] = this.#newChange(report, entry.alarm);
    const change = newChange && permitted(report, entry.alarm.definition);
    redefine(this.#unit, entry, report, change ?? {}, now);
    // A change with commands depends on the caller's rights, so it is not remembered as a no-op.
    if (newChange !== undefined && change === newChange && report.changeJson !== undefined)
      this.#tx.cache?.(alarmCache).rememberNoOp(entry.alarm, report.changeJson);
  }

  #collectProblem(problem: Problem, alarm: AlarmRecord, now: Instant): void {
    const key = `${alarm.stationId}/${problem.cause}`;
    if (!this.#problems.has(key)) this.#problems.set(key, problemReport(problem, alarm, now));
  }
}

function incomparableWarning({ definition: { condition } }: AlarmRecord): string {
  return `value: cannot be held against the condition ${condition.value}, so the state of the alarm stays as it is`;
}

/** Builds the system alarm that reports a problem; one per cause and station. */
function problemReport({ cause, field, sentence }: Problem, alarm: AlarmRecord, now: Instant): Job<AlarmReport> {
  return systemReport(now, {
    path: `cannot-be-done/${cause}`,
    stationId: alarm.stationId,
    message: `An alarm asks for something that cannot be done: ${sentence}. It is ${field} of alarm ${alarm.id}, "${alarm.name}".`,
  });
}

type SystemAlarm = {
  readonly path: string;
  readonly stationId?: number;
  readonly priority?: number;
  readonly message: string;
  /** Whether to raise the alarm again while the previous one is not acknowledged. */
  readonly isRepeated?: true;
  /** Whether the last resort is called. */
  readonly isCalled?: boolean;
};

/** A call action without an existing target, so that the last resort is called. */
const callLastResort = { type: 'CallGroup', id: 0, scriptId: 0, parameter: '', flags: 0 };

/**
 * Builds a report of one of Tocsin's own alarms, which shows everyone what it cannot do until somebody acknowledges it.
 */
function systemReport(now: Instant, alarm: SystemAlarm): Job<AlarmReport> {
  const { path, stationId, priority, message, isRepeated = false, isCalled = false } = alarm;
  return {
    now,
    input: {
      caller: systemCaller,
      stationId,
      dataServerId: undefined,
      tagGroupId: undefined,
      path: `system/${path}`,
      priority,
      value: undefined,
      raised: true,
      change: {
        temporary: true,
        alarmDelay: 0,
        condition: { value: '', transitory: true, reactivatable: false, resettable: true },
        alarm: { message, actions: isCalled ? [callLastResort] : [] },
      },
      ...(isRepeated ? {} : { onlyAtRest: true }),
    },
  };
}

/** Raises one of Tocsin's own alarms. */
export async function raiseSystemAlarm(tx: Tx, now: Instant, alarm: SystemAlarm): Promise<void> {
  await new ReportPass(tx, [systemReport(now, alarm)], 'our-own').run();
}

function likelyTag(report: AlarmReport): readonly Tag[] {
  const dataServerId = Locations.guess(report);
  return dataServerId === undefined || report.path === undefined ? [] : [[dataServerId, report.path]];
}

function isLikelyRaised({ raised, onlyAtRest }: AlarmReport): boolean {
  return raised !== false && onlyAtRest !== true;
}

/** A report with its location, or a refusal if it refers to something that does not exist. */
type LocatedReport = Job<AlarmReport> & {
  readonly location: Location | undefined;
  readonly tag: readonly [number, string] | undefined;
  readonly refusal: AppError | undefined;
};

function locate(job: Job<AlarmReport>, locations: Locations, records: IdempotencyRecords): LocatedReport {
  const { input } = job;
  try {
    if (records.has(input.caller.actor, input.once)) {
      return { ...job, location: undefined, tag: undefined, refusal: undefined };
    }
    const location = locations.of(input);
    const tag = input.path === undefined ? undefined : ([location.dataServerId, input.path] as const);
    return { ...job, location, tag, refusal: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...job, location: undefined, tag: undefined, refusal: error };
  }
}

/** A report without a path always creates an alarm of its own. */
function keyOf(job: LocatedReport): string | LocatedReport {
  return job.tag === undefined ? job : `${job.tag[0]} ${job.tag[1]}`;
}

function isAtRest({ life }: AlarmRecord): boolean {
  return life.state === 0 && life.pendingSince === undefined;
}

/** An explicit `raised` wins; else the condition decides by the value; else a reported alarm is raised. */
function commandFor({ raised, value }: AlarmReport, { definition }: AlarmRecord, before: string): AlarmCommand {
  const condition = definition.condition.value;
  if (raised !== undefined || value === undefined || !isCondition(condition))
    return { kind: 'report', isRaised: raised ?? true };
  return commandOf(condition, value, before);
}

function newAlarm(report: AlarmReport, now: Instant, location: Location, { id, path, name }: NewTag): AlarmRecord {
  const definition = changedDefinition(emptyDefinition, permitted(report, emptyDefinition));
  return {
    id,
    ...location,
    tagGroupId: report.tagGroupId,
    path,
    name,
    priority: report.priority ?? defaultPriority,
    value: report.value ?? '',
    definition,
    words: '',
    life: newLife(rulesOf(definition), now),
    createdAt: now,
    ackTime: undefined,
    ackUser: '',
    ackUserId: undefined,
    resetTime: undefined,
    comment: '',
    occurrenceId: undefined,
    occurrences: 0,
    seriesId: undefined,
    textId: undefined,
    activeMs: 0,
    notedRaise: 0,
    longestGap: 0,
    occurrenceGroupId: undefined,
    unacknowledgedSince: undefined,
    lastEventId: undefined,
  };
}

/** Returns the part of the change that the caller is permitted to make. */
function permitted({ change, caller }: AlarmReport, before: AlarmDefinition): DefinitionChange {
  return permittedChange(change, caller.mayRunCommands === true, before);
}

type Redefinition = Pick<AlarmReport, 'value' | 'priority' | 'tagGroupId'>;

/** Merges a report into the definition of an existing alarm. */
export function redefine(
  unit: AlarmUnitOfWork,
  entry: TrackedAlarm,
  report: Redefinition,
  change: DefinitionChange,
  now: Instant,
): void {
  const known = entry.alarm;
  const definition = changedDefinition(known.definition, change);
  const value = report.value ?? known.value;
  const priority = report.priority ?? known.priority;
  const tagGroupId = report.tagGroupId ?? known.tagGroupId;
  const isMoved = tagGroupId !== known.tagGroupId;
  const isSame = definition === known.definition && priority === known.priority && !isMoved;
  if (isSame && value === known.value) return;
  if (isMoved) unit.history.endSeries(entry.alarm);
  const isReworded = definition.alarm.message !== known.definition.alarm.message;
  if (isReworded) unit.history.endText(entry.alarm);
  entry.alarm = {
    ...known,
    definition,
    value,
    priority,
    tagGroupId,
    seriesId: isMoved ? undefined : known.seriesId,
    textId: isReworded ? undefined : known.textId,
    life: { ...known.life, rules: rulesOf(definition), lastChange: Math.max(known.life.lastChange, now) },
  };
  if (priority !== known.priority) unit.calls.reprioritise(entry, known.priority, now);
  if (definition.alarm.actions !== known.definition.alarm.actions) unit.calls.redefine(entry, known, now);
}
