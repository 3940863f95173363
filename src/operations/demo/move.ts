// Makes the next move of the demo plant: an alarm comes, goes or is acknowledged. One node of several makes it.

import { type DemoMove, nextMove, nextMoveAt, type TagNow } from '../../domain/demo/moves.ts';
import { demoTags } from '../../domain/demo/plant.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { writeUnitOfWork } from '../alarms/intake/report.ts';
import { findAlarmRecords } from '../alarms/queries.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { type AlarmEvent, applyChange } from './apply-change.ts';
import { DemoEntries, findDemo, setMove } from './plant-rows.ts';

/** Moves only when the move is due, so that of several nodes the first makes it. */
export const moveDemo: Operation<Record<string, never>, void> = {
  name: 'move-demo',
  async run(tx, now) {
    const demo = await findDemo(tx);
    if (demo?.state !== 'ready' || demo.nextMoveAt === null || demo.nextMoveAt > now) return;
    const entries = await DemoEntries.load(tx);
    const moment = { seed: demo.seed, moves: demo.moves, madeAt: demo.madeAt, now };
    const tags = await tagsNow(tx, entries);
    const move = nextMove(tags, moment);
    await tx.run(setMove, { moves: demo.moves + 1, nextMoveAt: nextMoveAt(tags, move, moment) });
    await carryOut(tx, now, move, entries);
  },
};

async function tagsNow(tx: Tx, entries: DemoEntries): Promise<readonly TagNow[]> {
  const records = new Map((await findAlarmRecords(tx, entries.ids('alarm'))).map((record) => [record.id, record]));
  return demoTags.flatMap(({ path }) => {
    const life = records.get(entries.find('alarm', path) ?? 0)?.life;
    if (life === undefined) return [];
    return [{ path, state: life.state, isMasked: life.mask !== undefined, raisedAt: life.raisedAt }];
  });
}

async function carryOut(tx: Tx, now: Instant, move: DemoMove, entries: DemoEntries): Promise<void> {
  if (move.kind === 'nothing') return;
  const id = entries.find('alarm', move.path) ?? 0;
  const event = eventOf(move, entries);
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load([id]);
  const entry = unit.alarms.get(id);
  if (entry === undefined || event === undefined) return;
  await unit.alarms.gather([], event.kind === 'acknowledge' ? 'acknowledge' : undefined);
  applyChange(unit, entry, event, now);
  await writeUnitOfWork(tx, now, unit);
}

/** Undefined if the person was removed. */
function eventOf(move: Exclude<DemoMove, { kind: 'nothing' }>, entries: DemoEntries): AlarmEvent | undefined {
  if (move.kind !== 'acknowledge') return move;
  const id = entries.find('user', move.person);
  return id === undefined ? undefined : { kind: 'acknowledge', by: { id, name: move.person }, comment: '' };
}
