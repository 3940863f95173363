// The store as a retried request sees it: reports are refused for alarms that others have changed since the request was
// refused, and without confirmation nothing is written.

import type { Static } from 'typebox';
import { isPossible } from '../../domain/alarms/transition.ts';
import { AppError } from '../../errors.ts';
import { type AlarmReported, reportAlarm, reportAlarms } from '../../operations/alarms/intake/report.ts';
import type { AlarmReport } from '../../operations/alarms/intake/report-message.ts';
import { reportValues, type ValueReport } from '../../operations/alarms/intake/report-value.ts';
import { callGroupsOnce, callUsersOnce } from '../../operations/calls/call-by-request.ts';
import { type Preview, previewReports, previewValues } from '../../operations/intake/preview.ts';
import type { ListOperation, ListResult } from '../../store/list-operation.ts';
import type { Operation, Store } from '../../store/store.ts';
import type { retrySchema } from '../../wire/intake-refusal.ts';

type Shown = Pick<Static<typeof retrySchema>, 'alarms' | 'calls'>;

type RequestedCall = { readonly input: Partial<Shown['calls'][number]> };

/** A report of an alarm or of a value. */
type Report = Pick<AlarmReport, 'dataServerId' | 'path' | 'unchangedSince' | 'time'> & {
  readonly stationId?: number | undefined;
};

type Refused = Extract<ListResult<never>, { readonly kind: 'refused' }>;

export class ReplayStore implements Store {
  readonly #store: Store;
  readonly #since: number;
  readonly #isConfirmed: boolean;
  /** When this retry itself changed an alarm last, by its tag. */
  readonly #changedAt = new Map<string, number>();
  #hasWritten = false;
  /** Why the rest of the list is refused. */
  #failure: Refused | undefined;
  /** The reports that have been shown; those of a later part are decided after them. */
  readonly #previewed: Report[] = [];
  readonly shown: { alarms: Shown['alarms'][number][]; calls: Shown['calls'][number][] } = { alarms: [], calls: [] };
  readonly kind: Store['kind'];
  readonly read: Store['read'];
  readonly onEvents: Store['onEvents'];
  readonly eventDelayMs: Store['eventDelayMs'];
  readonly silentMs: Store['silentMs'];
  readonly check: Store['check'];
  readonly stats: Store['stats'];
  readonly close: Store['close'];

  constructor(store: Store, since: number, isConfirmed: boolean) {
    this.#store = store;
    this.#since = since;
    this.#isConfirmed = isConfirmed;
    this.kind = store.kind;
    this.read = (query, args) => store.read(query, args);
    this.onEvents = (listener) => store.onEvents(listener);
    this.eventDelayMs = () => store.eventDelayMs();
    this.silentMs = () => store.silentMs();
    this.check = () => store.check();
    this.stats = () => store.stats();
    this.close = () => store.close();
  }

  async write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const outcome = await this.#written({ operation, input });
    return outcome as O;
  }

  #written({ operation, input }: { readonly operation: Operation<never, unknown>; readonly input: unknown }) {
    const isOf = (other: { readonly name: string }): boolean => operation.name === other.name;
    if (isOf(reportAlarm)) return this.#report(input as AlarmReport);
    if (isOf(reportAlarms)) return this.#list(reportAlarms, previewReports, input as readonly AlarmReport[]);
    if (isOf(reportValues)) return this.#list(reportValues, previewValues, input as readonly ValueReport[]);
    if (this.#isConfirmed) return this.#store.write(operation, input as never);
    if (isOf(callUsersOnce) || isOf(callGroupsOnce)) return this.#call(input as RequestedCall);
    throw new Error(`A retry does not know what ${operation.name} would do`);
  }

  async #report(report: AlarmReport): Promise<unknown> {
    const bound = { ...this.#timed(report), unchangedSince: this.#since };
    if (this.#isConfirmed) return this.#store.write(reportAlarm, bound);
    const [result] = this.#show(await this.#store.write(previewReports, [bound]));
    if (result?.kind !== 'refused') return result?.outcome;
    throw new AppError(result.code, result.sentence, { errors: result.errors });
  }

  #list<R extends Report>(
    report: ListOperation<R, AlarmReported>,
    preview: ListOperation<R, Preview>,
    reports: readonly R[],
  ): Promise<readonly ListResult<unknown>[]> {
    const timed = reports.map((one) => this.#timed(one));
    return this.#isConfirmed ? this.#carryOut(report, timed) : this.#preview(preview, timed);
  }

  /** The report as it came: without a time, or with one that could not be right then, it is of when it was refused. */
  #timed<R extends Report>(report: R): R {
    const { time = this.#since } = report;
    return { ...report, time: isPossible(time, this.#since) ? time : this.#since };
  }

  /**
   * In runs in which no tag comes twice: a report that follows another of this retry must know when that one changed the alarm.
   * After a run that fails nothing more is written; if others were, its reports and those that follow are refused, so that they are
   * kept and what was done is not done again.
   */
  async #carryOut<R extends Report>(
    operation: ListOperation<R, AlarmReported>,
    reports: readonly R[],
  ): Promise<readonly ListResult<unknown>[]> {
    const results: ListResult<AlarmReported>[] = [];
    for (const run of runsOf(reports)) {
      const bound = run.map((one) => ({ ...one, unchangedSince: this.#changedAt.get(tagOf(one)) ?? this.#since }));
      const done = await this.#writeRun(operation, bound);
      for (const [index, result] of done.entries()) this.#note(run[index], result);
      results.push(...done);
    }
    return results;
  }

  async #writeRun<R extends Report>(
    operation: ListOperation<R, AlarmReported>,
    run: readonly R[],
  ): Promise<readonly ListResult<AlarmReported>[]> {
    if (this.#failure === undefined) {
      try {
        const done = await this.#store.write(operation, run);
        this.#hasWritten = true;
        return done;
      } catch (error) {
        if (!this.#hasWritten) throw error;
        this.#failure = refusalOf(error);
      }
    }
    const failure = this.#failure;
    return run.map(() => failure);
  }

  #note(report: Report | undefined, result: ListResult<AlarmReported>): void {
    if (report === undefined || result.kind === 'refused' || result.outcome.lastChange === undefined) return;
    this.#changedAt.set(tagOf(report), result.outcome.lastChange);
  }

  async #preview<R extends Report>(
    operation: ListOperation<R, Preview>,
    reports: readonly R[],
  ): Promise<readonly ListResult<unknown>[]> {
    this.#previewed.push(...reports);
    // Only the first report of a tag meets what others have done; if that is refused, so are those that follow it.
    const firsts = new Map<string, number>();
    const bound = (this.#previewed as R[]).map((report, index) => {
      const tag = report.path === undefined ? `${index}` : tagOf(report);
      if (firsts.has(tag)) return { report, first: firsts.get(tag) ?? index };
      firsts.set(tag, index);
      return { report: { ...report, unchangedSince: this.#since }, first: index };
    });
    const decided = await this.#store.write(
      operation,
      bound.map(({ report }) => report),
    );
    const results = decided.map((result, index) => {
      const first = decided[bound[index]?.first ?? index];
      return first?.kind === 'refused' && first.code === 'changed-since' ? first : result;
    });
    return this.#show(results.slice(-reports.length));
  }

  /** Returns the results in the form that the original operation has. */
  #show(previews: readonly ListResult<Preview>[]): readonly ListResult<{ id: number; warnings: readonly string[] }>[] {
    return previews.map((result) => {
      if (result.kind === 'refused') {
        this.shown.alarms.push({ problem: result.sentence });
        return result;
      }
      const { id, name, before, after, warnings } = result.outcome;
      const stateBefore = before === undefined ? {} : { stateBefore: before };
      this.shown.alarms.push({ ...(id === undefined ? {} : { id }), name, ...stateBefore, stateAfter: after });
      return { kind: 'done', outcome: { id: id ?? 0, warnings } };
    });
  }

  async #call({ input: { userIds = [], callGroupIds = [], groupingIds = [] } }: RequestedCall): Promise<unknown> {
    this.shown.calls.push({ userIds, callGroupIds, groupingIds });
    return { outcome: { messageId: 0, isEverybody: true, warnings: [] }, isOtherBody: false };
  }
}

function refusalOf(error: unknown): Refused {
  if (error instanceof AppError)
    return { kind: 'refused', code: error.code, sentence: error.message, errors: error.errors };
  return { kind: 'refused', code: 'internal', sentence: 'The retry failed at this report.', errors: [] };
}

function tagOf({ stationId, dataServerId, path }: Report): string {
  return JSON.stringify([stationId ?? 0, dataServerId ?? 0, path]);
}

/** Cuts a list before each report of a path that the run has already; one without a path always makes an alarm of its own. */
function runsOf<R extends Report>(reports: readonly R[]): readonly (readonly R[])[] {
  const runs: R[][] = [];
  let paths = new Set<string>();
  for (const report of reports) {
    const { path } = report;
    const last = runs.at(-1);
    if (last === undefined || (path !== undefined && paths.has(path))) {
      runs.push([report]);
      paths = new Set();
    } else last.push(report);
    if (path !== undefined) paths.add(path);
  }
  return runs;
}
