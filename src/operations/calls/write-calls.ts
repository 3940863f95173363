// Writes the calls of a unit of work: their rows, cycles and new attempts, and the events about them.

import { systemCaller } from '../../domain/access/access.ts';
import { type Cycle, hasAcknowledged } from '../../domain/calls/call.ts';
import { searchableText } from '../../domain/search.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { appendAudits } from '../audit/append.ts';
import { attemptEntry } from '../audit/attempt-entry.ts';
import { attemptRows, cancelDueAttempts, noteAcknowledged } from './attempts.ts';
import { callRow, callRows, cycleRow, cycleRows } from './call-rows.ts';
import { freeLines } from './free-lines.ts';
import type { DecisionInputs } from './inputs/decision-inputs.ts';
import { endCausesOfCalls, storeLastInTurn } from './queries.ts';
import type { TrackedCall } from './tracked-call.ts';

const systemActor = systemCaller.actor;

type Writing = { readonly tx: Tx; readonly now: Instant; readonly ids: NewIds };

export async function writeCalls(
  writing: Writing,
  changed: readonly TrackedCall[],
  inputs: DecisionInputs,
): Promise<void> {
  const { tx, now, ids } = writing;
  await ids.assign(tx);
  await writeCallRows(writing, changed);
  await writeCycles(writing, changed);
  await writeAttempts(writing, changed, inputs);
  await closeAttempts(writing, changed);
  const over = changed.filter(({ call }) => call.phase === 'ended');
  for (const [reason, entries] of Map.groupBy(over, ({ call }) => call.reason))
    await tx.run(endCausesOfCalls, { callIds: JSON.stringify(entries.map(({ id }) => id)), now, reason });
  for (const [groupId, userId] of inputs.changedTurns) await storeLastInTurn(tx, groupId, userId);
  await writeEvents(writing, changed);
}

async function writeCallRows({ tx, now }: Writing, changed: readonly TrackedCall[]): Promise<void> {
  const rowOf = ({ id, call, startedAt, endedBy = systemActor }: TrackedCall) =>
    callRow(id, call, startedAt, now, endedBy);
  await tx.each(callRows.insert, changed.filter(({ loaded }) => loaded === undefined).map(rowOf));
  await tx.each(callRows.update, changed.filter(({ loaded }) => loaded !== undefined).map(rowOf));
}

async function writeCycles({ tx, ids }: Writing, changed: readonly TrackedCall[]): Promise<void> {
  const cycles = changed.flatMap(({ id, cycles, loaded }) =>
    [...cycles.values()]
      .filter(({ cycle }) => !loaded?.cycles.includes(cycle))
      .map(({ cycle, round }) => ({ cycle, row: cycleRow(ids.idOf(cycle.id), cycle, { call_id: id, round }) })),
  );
  const rowsOf = (entries: typeof cycles) => entries.map(({ row }) => row);
  await tx.each(cycleRows.insert, rowsOf(cycles.filter(isNew)));
  await tx.each(cycleRows.update, rowsOf(cycles.filter((entry) => !isNew(entry))));
}

function isNew({ cycle }: { readonly cycle: Cycle }): boolean {
  return cycle.id < 0;
}

async function writeAttempts(
  { tx, now, ids }: Writing,
  changed: readonly TrackedCall[],
  inputs: DecisionInputs,
): Promise<void> {
  const { snapshot } = inputs.configuration;
  const count = changed.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const attemptIds = count === 0 ? [] : [...(await tx.nextIds('call_attempts', count))];
  const rows = changed.flatMap(({ id: call_id, attempts }) => {
    const cause = inputs.firstCauseOf(call_id);
    return attempts.map(({ cycleId, userId, groupId, isNotice, number, outcome, attempt, reason }) => {
      const user_name = snapshot.people.get(userId)?.name ?? '';
      return {
        id: attemptIds.shift() ?? 0,
        call_id,
        cycle_id: ids.idOf(cycleId),
        user_id: userId,
        user_name,
        group_id: groupId ?? null,
        station_id: snapshot.groups.get(groupId ?? 0)?.stationId ?? cause?.station_id ?? 0,
        cause: cause?.kind ?? 'alarm',
        alarm_id: cause?.alarm_id ?? null,
        priority: cause?.priority ?? 0,
        number_id: number?.id ?? null,
        channel: number?.channel ?? '',
        address: number?.address ?? '',
        attempt,
        is_notice: isNotice ? 1 : 0,
        // A person without a usable number gets a failed row, so that the call history shows it.
        state: number === undefined ? 'failed' : 'due',
        reply_code: '',
        created_at: now,
        ended_at: number === undefined ? now : null,
        outcome: outcome ?? null,
        detail: reason,
        words: searchableText(user_name, reason),
        address_words: searchableText(number?.address ?? ''),
      };
    });
  });
  await tx.each(attemptRows.insert, rows);
  const failed = rows.filter(({ state }) => state === 'failed');
  await appendAudits(
    tx,
    failed.map((row) => ({ at: now, ...attemptEntry(row, { ...row, user: row.user_name }) })),
  );
}

/** Cancels due attempts of cycles that have moved on, and stores the acknowledgement time with started ones. */
async function closeAttempts({ tx, now }: Writing, changed: readonly TrackedCall[]): Promise<void> {
  const over = changed.flatMap(({ cycles, loaded }) =>
    changedCycles(cycles).filter(
      (cycle) => cycle.id > 0 && cycle.phase !== 'attempting' && !loaded?.cycles.includes(cycle),
    ),
  );
  if (over.length === 0) return;
  const cancelled = await cancelDue(tx, now, changed, over);
  const heard = over.filter(hasAcknowledged).map(({ id }) => id);
  if (heard.length > 0) await tx.run(noteAcknowledged, { cycleIds: JSON.stringify(heard), now });
  if (cancelled > 0)
    await freeLines(
      tx,
      now,
      over.map(({ userId }) => userId),
    );
}

/** Cancels the due attempts of these cycles, saying why and by whom; returns how many there were. */
async function cancelDue(
  tx: Tx,
  now: Instant,
  changed: readonly TrackedCall[],
  over: readonly Cycle[],
): Promise<number> {
  const ended = new Set(over);
  const endings = changed.flatMap(({ call, cycles, endedBy = systemActor }) =>
    changedCycles(cycles)
      .filter((cycle) => ended.has(cycle))
      .map(({ id, userId, phase, reason }) => {
        const byCall = call.phase === 'ended' ? endedBy : systemActor;
        return { id, reason, by: phase === 'ended' ? byCall : `user:${userId}` };
      }),
  );
  let count = 0;
  for (const alike of Map.groupBy(endings, ({ reason, by }) => `${by} ${reason}`).values()) {
    const [{ reason, by } = { reason: '', by: systemActor }] = alike;
    const cycleIds = JSON.stringify(alike.map(({ id }) => id));
    count += await tx.run(cancelDueAttempts, { cycleIds, now, detail: reason, endedBy: by });
  }
  return count;
}

async function writeEvents({ tx, now }: Writing, changed: readonly TrackedCall[]): Promise<void> {
  await appendEvents(
    tx,
    changed.flatMap(({ id, call, notes }) => {
      const about = { actor: 'system', subjectId: id, at: now };
      // For consoles that show calls; nothing else follows from it.
      if (notes.length === 0) return [{ ...about, kind: 'calls.changed' }];
      const data = { round: call.round, target: call.target };
      return notes.map(({ kind, ...note }) => ({ ...about, kind: `call.${kind}`, data: { ...note, ...data } }));
    }),
  );
}

function changedCycles(cycles: TrackedCall['cycles']): readonly Cycle[] {
  return [...cycles.values()].map(({ cycle }) => cycle);
}
