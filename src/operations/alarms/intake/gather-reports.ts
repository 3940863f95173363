// Loads everything that a set of reports needs, before the first of them is decided.

import type { DefinitionChange } from '../../../domain/alarms/definition.ts';
import { AppError } from '../../../errors.ts';
import type { Job, Tx } from '../../../store/store.ts';
import { alarmCache } from '../cache.ts';
import type { AlarmRecord } from '../record.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { type IdempotencyRecords, readIdempotencyRecords } from './idempotency.ts';
import { type NewTag, nameAlarms } from './naming.ts';
import type { AlarmReport } from './report-message.ts';
import { type Location, Locations } from './resolve-location.ts';

/** A report with its location, or a refusal if it refers to something that does not exist. */
export type LocatedReport = Job<AlarmReport> & {
  readonly location: Location | undefined;
  readonly tag: Tag | undefined;
  readonly refusal: AppError | undefined;
};

type NewTags = ReadonlyMap<string | LocatedReport, NewTag>;

export type GatheredReports = {
  readonly reports: readonly LocatedReport[];
  readonly records: IdempotencyRecords;
  /** Returns the id, path and name for the new alarm of a report. */
  newTagOf(report: LocatedReport): NewTag | undefined;
};

export async function gatherReports(
  tx: Tx,
  unit: AlarmUnitOfWork,
  jobs: readonly Job<AlarmReport>[],
): Promise<GatheredReports> {
  const inputs = jobs.map(({ input }) => input);
  const [records, locations] = await Promise.all([
    readIdempotencyRecords(tx, jobs),
    Locations.load(tx, inputs),
    prefetch(tx, unit, inputs),
  ]);
  const reports = jobs.map((job) => locate(job, locations, records));
  await unit.loadByTag(reports.flatMap(({ tag }) => (tag === undefined ? [] : [tag])));
  const newTags = await nameNew(tx, unit, reports);
  await unit.gather(reports.flatMap(({ input, tag }) => newChange(tx, input, tag && unit.find(tag)?.alarm)));
  return { reports, records, newTagOf: (report) => newTags.get(keyOf(report)) };
}

/** Loads what the reports will most likely need together with their locations, which saves PostgreSQL a round trip. */
async function prefetch(tx: Tx, unit: AlarmUnitOfWork, reports: readonly AlarmReport[]): Promise<void> {
  const tags = reports.flatMap(likelyTag);
  const changes = reports.flatMap((report) => {
    const [tag] = likelyTag(report);
    return newChange(tx, report, tag && tx.cache?.(alarmCache).find(...tag));
  });
  const raises = reports.filter(isLikelyRaised).length;
  tx.expectIds?.('alarm_histories', raises);
  tx.expectIds?.('events', raises);
  await Promise.all([unit.actions.prefetch(changes), unit.loadByTag(tags)]);
}

function likelyTag(report: AlarmReport): readonly Tag[] {
  const dataServerId = Locations.guess(report);
  return dataServerId === undefined || report.path === undefined ? [] : [[dataServerId, report.path]];
}

function isLikelyRaised({ raised, onlyAtRest }: AlarmReport): boolean {
  return raised !== false && onlyAtRest !== true;
}

/** Returns the requested change; empty if the cache knows that it would change nothing. */
export function newChange(
  tx: Tx,
  { change, changeJson }: AlarmReport,
  alarm: AlarmRecord | undefined,
): readonly [DefinitionChange] | readonly [] {
  const isOld =
    alarm !== undefined && changeJson !== undefined && tx.cache?.(alarmCache).isKnownNoOp(alarm, changeJson);
  return isOld ? [] : [change];
}

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

/** Assigns ids and names to new alarms. Reports of the same new path share one. */
async function nameNew(tx: Tx, unit: AlarmUnitOfWork, reports: readonly LocatedReport[]): Promise<NewTags> {
  const wanted = new Map<string | LocatedReport, { path: string | undefined; location: Location }>();
  const seenKeys = new Set<string>();
  for (const report of reports) {
    const { caller, once } = report.input;
    // A request sent twice in one set is one alarm; an id that was assigned must be used.
    const isRepeated = once !== undefined && seenKeys.has(`${caller.actor} ${once.key}`);
    if (once !== undefined) seenKeys.add(`${caller.actor} ${once.key}`);
    const isKnown = report.tag !== undefined && unit.find(report.tag) !== undefined;
    if (report.location === undefined || isKnown || isRepeated) continue;
    wanted.set(keyOf(report), { path: report.input.path, location: report.location });
  }
  return wanted.size === 0 ? new Map() : nameAlarms(tx, wanted);
}

/** A report without a path always creates an alarm of its own. */
function keyOf(report: LocatedReport): string | LocatedReport {
  return report.tag === undefined ? report : `${report.tag[0]} ${report.tag[1]}`;
}
