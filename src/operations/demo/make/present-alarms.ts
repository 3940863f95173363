// Applies the last day of the demo plant to its alarms, one change after another, up to those that stand now.

import { sql } from 'kysely';
import { demoHistory } from '../../../domain/demo/history.ts';
import type { DemoOccurrence } from '../../../domain/demo/occurrence.ts';
import { demoTags } from '../../../domain/demo/plant.ts';
import { calledFromStart } from '../../../domain/demo/present.ts';
import { idsIn, sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { type AlarmEvent, applyChange } from '../apply-change.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';
import { alarmsOf, type CountedOccurrence, countedHistory, referencesOf, seriesOf } from './old-history.ts';

export async function makePresentAlarms(tx: Tx, now: Instant, demo: DemoRow): Promise<'done'> {
  const entries = await DemoEntries.load(tx);
  const placed = await alarmsOf(tx);
  await writeSummaries(tx, now, demo, placed);
  const { recent } = demoHistory(demo.seed, demo.madeAt, demo.timeZone);
  const changes = recent.flatMap((occurrence) => changesOf(occurrence, entries)).toSorted((a, b) => a.at - b.at);
  for (const run of runsOf(changes)) await applyRun(tx, now, run, placed);
  return 'done';
}

async function writeSummaries(
  tx: Tx,
  now: Instant,
  demo: DemoRow,
  placed: ReadonlyMap<number, AlarmRecord>,
): Promise<void> {
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load([...placed.values()].map(({ id }) => id));
  for (const summary of await summariesOf(tx, countedHistory(demo), placed)) {
    const entry = unit.alarms.get(summary.id);
    if (entry !== undefined) entry.alarm = summary;
  }
  await writeUnitOfWork(tx, now, unit);
}

/** Splits the changes, because a unit of work takes one acknowledgement of an alarm. */
function runsOf(changes: readonly TimedChange[]): readonly (readonly TimedChange[])[] {
  const runs: TimedChange[][] = [[]];
  let acknowledged = new Set<number>();
  for (const change of changes) {
    if (acknowledged.has(change.tag)) {
      runs.push([]);
      acknowledged = new Set();
    }
    runs.at(-1)?.push(change);
    if (change.event.kind === 'acknowledge') acknowledged.add(change.tag);
  }
  return runs;
}

async function applyRun(
  tx: Tx,
  now: Instant,
  run: readonly TimedChange[],
  placed: ReadonlyMap<number, AlarmRecord>,
): Promise<void> {
  const unit = beginUnitOfWork(tx, now);
  const idOf = (tag: number): number => placed.get(tag)?.id ?? 0;
  await unit.alarms.load([...new Set(run.map(({ tag }) => idOf(tag)))]);
  await unit.alarms.gather([], 'acknowledge');
  for (const { tag, at, event } of run) {
    const entry = unit.alarms.get(idOf(tag));
    if (entry !== undefined) applyChange(unit, entry, event, at);
  }
  await writeUnitOfWork(tx, now, unit);
}

/** Raises the alarms for which somebody is called from the start. */
export async function raiseCalledAlarms(tx: Tx, now: Instant): Promise<'done'> {
  const raised = calledFromStart.map((path) => ({
    tag: demoTags.findIndex((tag) => tag.path === path),
    at: now,
    event: { kind: 'raise', value: demoTags.find((tag) => tag.path === path)?.value ?? '' } as const,
  }));
  await applyRun(tx, now, raised, await alarmsOf(tx));
  return 'done';
}

type TimedChange = { readonly tag: number; readonly at: Instant; readonly event: AlarmEvent };

function changesOf(
  { tag, raisedAt, resetAt, ack, mask }: DemoOccurrence,
  entries: DemoEntries,
): readonly TimedChange[] {
  const { value = '', normalValue = '' } = demoTags[tag] ?? {};
  const actor = (name: string) => ({ id: entries.id('user', name), name });
  const changes: (TimedChange | undefined)[] = [
    { tag, at: raisedAt, event: { kind: 'raise', value } },
    resetAt === undefined ? undefined : { tag, at: resetAt, event: { kind: 'return', value: normalValue } },
    ack && { tag, at: ack.at, event: { kind: 'acknowledge', by: actor(ack.person), comment: ack.comment } },
    mask && {
      tag,
      at: mask.at,
      event: { kind: 'mask', by: actor(mask.person), until: mask.until, reason: mask.reason },
    },
  ];
  return changes.flatMap((change) => change ?? []);
}

/** Returns the alarms as their history up to the last day left them. */
async function summariesOf(
  tx: ReadTx,
  history: readonly CountedOccurrence[],
  placed: ReadonlyMap<number, AlarmRecord>,
): Promise<readonly AlarmRecord[]> {
  const { seriesOf: seriesIds, textOf: textIds } = await referencesOf(tx, placed);
  const entries = await DemoEntries.load(tx);
  const args = { alarmIds: JSON.stringify([...placed.values()].map(({ id }) => id)) };
  const newest = new Map((await tx.all(selectNewest, args)).map(({ alarm_id, id }) => [alarm_id, Number(id)]));
  const summaries: AlarmRecord[] = [];
  for (const [tag, list] of Map.groupBy(history, (occurrence) => occurrence.tag)) {
    const [alarm, last] = [placed.get(tag), list.at(-1)];
    if (alarm === undefined || last === undefined) continue;
    const { ack, raisedAt, resetAt = raisedAt } = last;
    const { notedRaise, longestGap } = seriesOf(list);
    summaries.push({
      ...alarm,
      seriesId: seriesIds.get(alarm.id),
      textId: textIds.get(alarm.id),
      occurrences: last.nth,
      activeMs: last.activeBefore + resetAt - raisedAt,
      notedRaise,
      longestGap,
      occurrenceId: newest.get(alarm.id),
      occurrenceGroupId: alarm.tagGroupId,
      ackTime: ack?.at,
      ackUser: ack?.person ?? '',
      ackUserId: ack && entries.find('user', ack.person),
      resetTime: resetAt,
      comment: ack?.comment ?? '',
      life: { ...alarm.life, raisedAt, lastChange: Math.max(resetAt, ack?.at ?? 0) },
    });
  }
  return summaries;
}

const selectNewest = sqlStatement<{ alarmIds: string }, { alarm_id: number; id: number }>(
  (args, kind) => sql`select alarm_id, max(id) as id from ${table('alarm_histories')}
    where alarm_id in ${idsIn(args.alarmIds, kind)} group by alarm_id`,
);
