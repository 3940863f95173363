// Loads everything that a set of reports needs, before the first of them is decided.

import type { DefinitionChange } from '../../../domain/alarms/definition.ts';
import type { Job, Tx } from '../../../store/store.ts';
import { alarmCache } from '../cache.ts';
import type { AlarmRecord } from '../record.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { type IdempotencyRecords, readIdempotencyRecords } from './idempotency.ts';
import { moveReported } from './moving-tags.ts';
import { type NewTag, nameAlarms } from './naming.ts';
import type { AlarmReport } from './report-message.ts';
import { type Located, type Location, Locations } from './resolve-location.ts';

/** A report with its location; undefined for one that was processed before. */
export type LocatedReport = Job<AlarmReport> & {
  readonly located: Located | undefined;
  readonly tag: Tag | undefined;
};

type NewTags = ReadonlyMap<string | LocatedReport, NewTag>;

export type GatheredReports = {
  readonly reports: readonly LocatedReport[];
  readonly records: IdempotencyRecords;
  /** Returns the id, path and name for the new alarm of a report. */
  newTagOf(report: LocatedReport): NewTag | undefined;
};

/** With `isPreview` nothing is written: a placeholder that is missing is not made. */
export async function gatherReports(
  tx: Tx,
  unit: AlarmUnitOfWork,
  jobs: readonly Job<AlarmReport>[],
  isPreview = false,
): Promise<GatheredReports> {
  const inputs = jobs.map(({ input }) => input);
  const [records, locations] = await Promise.all([
    readIdempotencyRecords(tx, jobs),
    Locations.load(tx, inputs),
    prefetch(tx, unit, inputs),
  ]);
  if (!isPreview) {
    const taken = inputs.filter(({ isStrict, caller, once }) => !isStrict && !records.has(caller.actor, once));
    await locations.makePlaceholders(tx, Math.max(...jobs.map(({ now }) => now)), taken);
  }
  const reports = jobs.map((job) => locate(job, locations, records));
  const tags = reports.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  await unit.loadByTag(tags);
  const moving = tags.filter(([server]) => locations.receiving.has(server));
  if (moving.length > 0) await moveReported(tx, unit, moving, Math.max(...jobs.map(({ now }) => now)));
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

function isLikelyRaised({ raised, unlessAtRest }: AlarmReport): boolean {
  return raised !== false && unlessAtRest === undefined;
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
  if (records.has(input.caller.actor, input.once)) return { ...job, located: undefined, tag: undefined };
  const located = locations.of(input);
  if (input.path === undefined) return { ...job, located, tag: undefined };
  const path = `${located.pathPrefix}${input.path}`;
  // The change of a report is read when it is asked for, so a copy of the report does not have it.
  const ofTag = path === input.path ? job : { ...job, input: { ...input, change: input.change, path } };
  return { ...ofTag, located, tag: [located.location.dataServerId, path] };
}

/** Assigns ids and names to new alarms. Reports of the same new path share one. */
async function nameNew(tx: Tx, unit: AlarmUnitOfWork, reports: readonly LocatedReport[]): Promise<NewTags> {
  const wanted = new Map<string | LocatedReport, { path: string | undefined; location: Location }>();
  const seenKeys = new Set<string>();
  for (const report of reports) {
    const { caller, once } = report.input;
    // A request sent twice in one set is one alarm; an id that was assigned must be used.
    const request = once && `${caller.actor} ${once.key} ${once.bodyHash}`;
    const isRepeated = request !== undefined && seenKeys.has(request);
    if (request !== undefined) seenKeys.add(request);
    const isKnown = report.tag !== undefined && unit.find(report.tag) !== undefined;
    if (report.located === undefined || isKnown || isRepeated || report.input.onlyIfKnown) continue;
    wanted.set(keyOf(report), { path: report.input.path, location: report.located.location });
  }
  return wanted.size === 0 ? new Map() : nameAlarms(tx, wanted);
}

/** A report without a path always creates an alarm of its own. */
function keyOf(report: LocatedReport): string | LocatedReport {
  return report.tag === undefined ? report : `${report.tag[0]} ${report.tag[1]}`;
}
