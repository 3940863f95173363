// What was under way when the server ended without being stopped: noted, given up when the server ended again and again with it alone,
// and released or dropped by an administrator.

import type { Caller } from '../../domain/access/access.ts';
import {
  afterEndOf,
  givenUpForMs,
  isGivenUpAt,
  isSuspectAt,
  isWorkKind,
  type Quarantined,
  type QuarantineState,
  suspectsBeside,
  type Work,
} from '../../domain/quarantine.ts';
import { AppError } from '../../errors.ts';
import { getMeta, setMeta } from '../../store/meta.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { giveUpAttempt, openAttempt, shownAttempts } from '../calls/delivery/quarantined-attempts.ts';
import { endPutOff, isPutOffByRow, putOffRow } from '../system/set-aside.ts';
import { putQuarantined, removeOldQuarantined, removeQuarantined, selectQuarantined } from './rows.ts';

type UnplannedEnd = {
  readonly works: readonly Work[];
  readonly node: string;
  /** Tells the ends of the node apart. */
  readonly mark: string;
};

/**
 * Notes the work that was under way on a server when it ended without being stopped; returns how much of it is given up. An end counts
 * once, also if the next start ended as well before it had anything in hand.
 */
export const noteUnplannedEnd: Operation<UnplannedEnd, number> = {
  name: 'note-unplanned-end',
  async run(tx, now, { works, node, mark }) {
    const key = `unplanned-end/${node}`;
    if ((await getMeta(tx, key)) === mark) return 0;
    await setMeta(tx, key, mark);
    await tx.run(removeOldQuarantined, { before: now - givenUpForMs });
    const rows = await readRows(tx);
    const known = new Map(works.map((work) => [work, knownOf(rows, work, now)]));
    const suspectsFor = suspectsBeside(works.filter((work) => known.get(work)?.state === 'suspect'));
    let givenUp = 0;
    for (const work of works) {
      if (work.kind === 'attempt' && (await openAttempt(tx, work.id)) === undefined) {
        await tx.run(removeQuarantined, work);
        continue;
      }
      const { ends, state } = afterEndOf(work, known.get(work), now, { suspects: suspectsFor(work) });
      await tx.run(putQuarantined, { ...work, ends: JSON.stringify(ends), state, lastEndAt: now });
      if (state !== 'failed') continue;
      givenUp += 1;
      await giveUp(tx, now, work);
    }
    return givenUp;
  },
};

type Decision = Work & { readonly caller: Caller; readonly how: 'release' | 'drop' };

/** An administrator lets it be begun like any other, or gives it up. */
export const decideQuarantined: Operation<Decision, void> = {
  name: 'decide-quarantined',
  async run(tx, now, { caller, how, kind, id }) {
    const work: Work = { kind, id };
    const known = (await readRows(tx)).get(nameOf(work));
    if (known === undefined) throw new AppError('not-found', `There is no quarantined work ${kind} ${id}.`);
    if (how === 'release' || kind === 'attempt') await tx.run(removeQuarantined, work);
    else if (known.state !== 'failed')
      await tx.run(putQuarantined, { ...work, ends: JSON.stringify(known.ends), state: 'failed', lastEndAt: now });
    if (how === 'release') await release(tx, now, work);
    else if (known.state !== 'failed') await giveUp(tx, now, work);
    await appendAudit(tx, now, {
      kind: how === 'drop' ? 'quarantine.dropped' : 'quarantine.released',
      origin: caller,
      subject: `${kind}:${id}`,
    });
  },
};

export type QuarantinedWork = Work & Quarantined & { readonly user: string };

/** Returns the suspects that are not over, and what was given up. */
export const listQuarantined: Query<{ readonly now: Instant }, readonly QuarantinedWork[]> = {
  name: 'list-quarantined',
  async run(tx, { now }) {
    const all = [...(await readRows(tx)).values()];
    const attempts = await shownAttempts(
      tx,
      all.filter(({ kind }) => kind === 'attempt'),
    );
    return [...attempts, ...notAttempts(all, now).map((row) => ({ ...row, user: '' }))];
  },
};

/** The suspects and what is given up, without attempts, which are held back where they are taken. */
export const listSuspects: Query<{ readonly now: Instant }, readonly (Work & Quarantined)[]> = {
  name: 'list-suspects',
  isQuick: true,
  run: async (tx, { now }) => notAttempts([...(await readRows(tx)).values()], now),
};

function notAttempts(rows: readonly Row[], now: Instant): readonly Row[] {
  return rows.filter((row) => row.kind !== 'attempt' && (isSuspectAt(row, now) || isGivenUpAt(row, now)));
}

type Row = Work & Quarantined;

async function readRows(tx: ReadTx): Promise<ReadonlyMap<string, Row>> {
  const rows = await tx.all(selectQuarantined, {});
  return new Map(
    rows.flatMap(({ kind, subject_id: id, ends, state }) =>
      isWorkKind(kind)
        ? [[nameOf({ kind, id }), { kind, id, ends: JSON.parse(ends) as number[], state: state as QuarantineState }]]
        : [],
    ),
  );
}

function nameOf({ kind, id }: Work): string {
  return `${kind} ${id}`;
}

/** What is begun one by one because all of its kind are suspected is a suspect as well. */
function knownOf(rows: ReadonlyMap<string, Row>, work: Work, now: Instant): Quarantined | undefined {
  const all = rows.get(nameOf({ ...work, id: 0 }));
  const own = rows.get(nameOf(work));
  if (own?.state === 'suspect' || all === undefined || !isSuspectAt(all, now)) return own;
  return { ends: all.ends, state: 'suspect' };
}

function alarmPathOf({ kind, id }: Work): string {
  return id === 0 ? `quarantine/${kind}` : `quarantine/${kind}/${id}`;
}

async function giveUp(tx: Tx, now: Instant, work: Work): Promise<void> {
  if (work.kind === 'attempt') return giveUpAttempt(tx, now, work.id);
  if (isPutOffByRow(work)) await putOffRow(tx, work, now + givenUpForMs);
  await raiseSystemAlarm(tx, now, {
    path: alarmPathOf(work),
    priority: 1,
    message: { code: 'work-given-up', parameters: { kind: work.kind, id: work.id } },
    isRepeated: true,
    isCalled: true,
  });
}

async function release(tx: Tx, now: Instant, work: Work): Promise<void> {
  if (isPutOffByRow(work)) await endPutOff(tx, now, work);
}
