// Alarms come in: each tag is found or made, its definition changed, and its life goes on from what is reported.

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
import type { AlarmRecord } from '../../store/stored-alarm.ts';
import { readCallConfiguration } from '../calls/configuration.ts';
import { applyTransitions } from './apply-transitions.ts';
import { type IdempotencyRecords, readIdempotencyRecords } from './idempotency.ts';
import { type NewTag, nameAlarms } from './naming.ts';
import { type AlarmReport, alarmReportCodec } from './report-message.ts';
import { type Location, Locations } from './resolve-location.ts';
import { AlarmUnitOfWork, type Tag, type TrackedAlarm } from './unit-of-work.ts';

/** The alarm's id, and what of it comes to nothing. */
export type AlarmReported = { readonly id: number; readonly warnings: readonly string[] };

export const reportAlarm = setOperation<AlarmReport, AlarmReported>('report-alarm', takeReports, alarmReportCodec);

async function takeReports(tx: Tx, sent: readonly Job<AlarmReport>[]): Promise<readonly JobResult<AlarmReported>[]> {
  const jobs = await withForeignMarked(tx, sent);
  const results: JobResult<AlarmReported>[] = [];
  while (results.length < jobs.length)
    results.push(...(await new ReportRound(tx, jobs.slice(results.length), 'of-callers').run()));
  return results;
}

/** A list of reports, each answered for itself. */
export const reportAlarms = listOperation('report-alarms', reportAlarm);

/** A caller bound to stations has nobody called whom it does not see. */
async function withForeignMarked(tx: Tx, jobs: readonly Job<AlarmReport>[]): Promise<readonly Job<AlarmReport>[]> {
  if (jobs.every(({ input }) => input.caller.stationIds.length === 0)) return jobs;
  const { directory } = await readCallConfiguration(tx);
  return jobs.map((job) => {
    const { caller, change } = job.input;
    const marked = foreignMarked(change, caller.stationIds, directory);
    return { ...job, input: { ...job.input, change: marked, changeJson: undefined } };
  });
}

/**
 * Reports taken together. A round ends early when a report is for an alarm that an earlier one of them removed: it then
 * begins a new alarm, in the next round.
 */
class ReportRound {
  readonly #tx: Tx;
  readonly #jobs: readonly Job<AlarmReport>[];
  readonly #unit: AlarmUnitOfWork;
  readonly #problems = new Map<string, Job<AlarmReport>>();
  readonly #whose: 'of-callers' | 'our-own';

  constructor(tx: Tx, jobs: readonly Job<AlarmReport>[], whose: 'of-callers' | 'our-own') {
    this.#tx = tx;
    this.#jobs = jobs;
    this.#whose = whose;
    this.#unit = new AlarmUnitOfWork(tx);
  }

  async run(): Promise<readonly JobResult<AlarmReported>[]> {
    const reports = this.#jobs.map(({ input }) => input);
    const changes = reports.flatMap((report) => this.#news(report, this.#likelyAlarm(report)));
    const [answers, places] = await Promise.all([
      readIdempotencyRecords(this.#tx, this.#jobs),
      Locations.load(this.#tx, reports),
      this.#unit.lookAhead(reports.flatMap(likelyTag), changes, reports.filter(isLikelyRaised).length),
    ]);
    const placed = this.#jobs.map((job) => placedJob(job, places, answers));
    await this.#unit.loadByTag(placed.flatMap(({ tag }) => (tag === undefined ? [] : [tag])));
    const fresh = await this.#nameNew(placed);
    await this.#unit.resolveTargets(
      placed.flatMap(({ input, tag }) => this.#news(input, tag && this.#unit.find(tag)?.alarm)),
    );
    const results: JobResult<AlarmReported>[] = [];
    for (const job of placed) {
      const result = this.#settle(job, fresh, answers);
      if (result === undefined) break;
      results.push(result);
    }
    await this.#unit.write();
    await answers.write(this.#tx);
    if (this.#problems.size > 0) await new ReportRound(this.#tx, [...this.#problems.values()], 'our-own').run();
    return results;
  }

  #likelyAlarm(report: AlarmReport): AlarmRecord | undefined {
    const [tag] = likelyTag(report);
    return tag && this.#tx.cache?.find(...tag);
  }

  /** The change a report asks for; none when the alarm is known to be so already. */
  #news(report: AlarmReport, alarm: AlarmRecord | undefined): readonly [DefinitionChange] | readonly [] {
    const { changeJson } = report;
    const isOld = alarm !== undefined && changeJson !== undefined && this.#tx.cache?.isKnownNoOp(alarm, changeJson);
    return isOld ? [] : [report.change];
  }

  /** Ids and names for the alarms that are not there yet. Reports of one new path share one. */
  async #nameNew(placed: readonly Placed[]): Promise<ReadonlyMap<string | Placed, NewTag>> {
    const wanted = new Map<string | Placed, { path: string | undefined; place: Location }>();
    const asked = new Set<string>();
    for (const job of placed) {
      const { caller, once } = job.input;
      // Sent twice at once, it is one alarm; an id that is taken must be used.
      const isRepeated = once !== undefined && asked.has(`${caller.actor} ${once.key}`);
      if (once !== undefined) asked.add(`${caller.actor} ${once.key}`);
      const isKnown = job.tag !== undefined && this.#unit.find(job.tag) !== undefined;
      if (job.place === undefined || isKnown || isRepeated) continue;
      wanted.set(keyOf(job), { path: job.input.path, place: job.place });
    }
    return wanted.size === 0 ? new Map() : nameAlarms(this.#tx, wanted);
  }

  /** Undefined when the report has to wait for the next round. */
  #settle(
    job: Placed,
    fresh: ReadonlyMap<string | Placed, NewTag>,
    answers: IdempotencyRecords,
  ): JobResult<AlarmReported> | undefined {
    const { now, input, place, refusal } = job;
    try {
      if (refusal !== undefined) throw refusal;
      const earlier = answers.find(input.caller.actor, input.once);
      if (earlier !== undefined) return { kind: 'done', outcome: { id: earlier.answer, warnings: earlier.warnings } };
      const known = job.tag && this.#unit.find(job.tag);
      if (known?.isRemoved) return undefined;
      const entry = known ?? this.#add(job, place, fresh.get(keyOf(job)));
      const warnings = this.#report(entry, known !== undefined, input, now);
      answers.keep(now, input.caller.actor, input.once, { answer: entry.alarm.id, warnings });
      return { kind: 'done', outcome: { id: entry.alarm.id, warnings } };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'failed', error };
    }
  }

  #add({ now, input }: Placed, place: Location | undefined, tag: NewTag | undefined): TrackedAlarm {
    if (place === undefined || tag === undefined) throw new Error('A new alarm has no place or no name');
    return this.#unit.add(newAlarm(input, now, place, tag));
  }

  #report(entry: TrackedAlarm, isKnown: boolean, report: AlarmReport, now: Instant): readonly string[] {
    if (report.onlyAtRest && !isAtRest(entry.alarm)) return [];
    const change = { now, actor: report.caller.actor };
    // By the rules there were: a delay that has run out is not longer because it is made so now.
    applyTransitions(this.#unit, entry, dueTransitions(entry.alarm.life, now), {
      ...change,
      actor: systemCaller.actor,
    });
    const { value: before } = entry.alarm;
    if (isKnown) this.#redefine(entry, report, now);
    const command = commandFor(report, entry.alarm, before);
    // All that was due has been done: a delay that is shorter now ends with this report, not before it.
    const outcome = transition(entry.alarm.life, command, now);
    if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
    applyTransitions(this.#unit, entry, [outcome], change);
    const problems = problemsOf(entry.alarm.definition, this.#unit.targets);
    // Of what its own alarms ask for Tocsin tells nobody: that would have no end.
    if (this.#whose === 'of-callers') for (const problem of problems) this.#tellOf(problem, entry.alarm, now);
    const doubts = definitionWarnings(entry.alarm.definition);
    const warnings = [...problems, ...doubts].map(({ field, sentence }) => `${field}: ${sentence}`);
    return command.kind === 'report' ? warnings : [...warnings, saysNothing(entry.alarm)];
  }

  #redefine(entry: TrackedAlarm, report: AlarmReport, now: Instant): void {
    const [news] = this.#news(report, entry.alarm);
    const change = news && permitted(report, entry.alarm.definition);
    redefine(this.#unit, entry, report, change ?? {}, now);
    // With commands, what it comes to is another matter for another caller.
    if (news !== undefined && change === news && report.changeJson !== undefined)
      this.#tx.cache?.rememberNoOp(entry.alarm, report.changeJson);
  }

  #tellOf(problem: Problem, alarm: AlarmRecord, now: Instant): void {
    const key = `${alarm.stationId}/${problem.cause}`;
    if (!this.#problems.has(key)) this.#problems.set(key, problemReport(problem, alarm, now));
  }
}

function saysNothing({ definition: { condition } }: AlarmRecord): string {
  return `value: cannot be held against the condition ${condition.value}, so the state of the alarm stays as it is`;
}

/** What of an alarm will not be done; one system alarm per cause and station says so. */
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
  /** Whether to raise it again while nobody has taken note of the last time. */
  readonly isRepeated?: true;
  /** Whether the last resort is called for it. */
  readonly isCalled?: boolean;
};

/** Names nobody, so that the last resort is called. */
const callLastResort = { type: 'CallGroup', id: 0, scriptId: 0, parameter: '', flags: 0 };

/** Tocsin's own alarms: everyone can see what it cannot do, until somebody has taken note. */
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

/** Raises an alarm of Tocsin's own. */
export async function raiseSystemAlarm(tx: Tx, now: Instant, alarm: SystemAlarm): Promise<void> {
  await new ReportRound(tx, [systemReport(now, alarm)], 'our-own').run();
}

function likelyTag(report: AlarmReport): readonly Tag[] {
  const dataServerId = Locations.guess(report);
  return dataServerId === undefined || report.path === undefined ? [] : [[dataServerId, report.path]];
}

function isLikelyRaised({ raised, onlyAtRest }: AlarmReport): boolean {
  return raised !== false && onlyAtRest !== true;
}

/** A report with its place; a refusal when what it names does not exist. */
type Placed = Job<AlarmReport> & {
  readonly place: Location | undefined;
  readonly tag: readonly [number, string] | undefined;
  readonly refusal: AppError | undefined;
};

function placedJob(job: Job<AlarmReport>, places: Locations, answers: IdempotencyRecords): Placed {
  const { input } = job;
  try {
    if (answers.has(input.caller.actor, input.once)) {
      return { ...job, place: undefined, tag: undefined, refusal: undefined };
    }
    const place = places.of(input);
    const tag = input.path === undefined ? undefined : ([place.dataServerId, input.path] as const);
    return { ...job, place, tag, refusal: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...job, place: undefined, tag: undefined, refusal: error };
  }
}

/** Without a path each report is an alarm of its own. */
function keyOf(job: Placed): string | Placed {
  return job.tag === undefined ? job : `${job.tag[0]} ${job.tag[1]}`;
}

function isAtRest({ life }: AlarmRecord): boolean {
  return life.state === 0 && life.pendingSince === undefined;
}

/** An explicit word wins; else a value decides by the condition; else an alarm that is sent is raised. */
function commandFor({ raised, value }: AlarmReport, { definition }: AlarmRecord, before: string): AlarmCommand {
  const condition = definition.condition.value;
  if (raised !== undefined || value === undefined || !isCondition(condition))
    return { kind: 'report', isRaised: raised ?? true };
  return commandOf(condition, value, before);
}

function newAlarm(report: AlarmReport, now: Instant, place: Location, { id, path, name }: NewTag): AlarmRecord {
  const definition = changedDefinition(emptyDefinition, permitted(report, emptyDefinition));
  return {
    id,
    ...place,
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

/** What of a report its caller may change. */
function permitted({ change, caller }: AlarmReport, before: AlarmDefinition): DefinitionChange {
  return permittedChange(change, caller.mayRunCommands === true, before);
}

type Redefinition = Pick<AlarmReport, 'value' | 'priority' | 'tagGroupId'>;

/** What a report changes of an alarm that is there. */
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
