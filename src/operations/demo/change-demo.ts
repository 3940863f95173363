// Begins to make or to remove the demo plant, and does the next step of either: each is small and done in one transaction.

import type { Caller } from '../../domain/access/access.ts';
import { firstMoveMs } from '../../domain/demo/moves.ts';
import { AppError } from '../../errors.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { makeCallHistory } from './make/call-history.ts';
import { attachScenarios, makePeople, makeProgramme, makeStations } from './make/make-directory.ts';
import { makeTags } from './make/make-tags.ts';
import { makeOldHistory } from './make/old-history.ts';
import { makePresentAlarms, raiseCalledAlarms } from './make/present-alarms.ts';
import { type DemoRow, findDemo, insertDemo, setMove, setRemoving, setStep } from './plant-rows.ts';
import { whyNotEmpty } from './queries.ts';
import { outsideReferrers } from './remove/outside-referrers.ts';
import { removeAlarms } from './remove/remove-alarms.ts';
import { removeCalls } from './remove/remove-calls.ts';
import { removeEntriesOfDemo } from './remove/remove-entries.ts';
import { removeHistories } from './remove/remove-histories.ts';

/** `more`: the same step goes on. `waiting`: it goes on once others have done their part. */
type Progress = 'done' | 'more' | 'waiting';
type Step = (tx: Tx, now: Instant, demo: DemoRow) => Promise<Progress>;

const makeSteps: readonly (readonly [name: string, run: Step])[] = [
  ['stations', makeStations],
  ['people', makePeople],
  ['programme', makeProgramme],
  ['tags', makeTags],
  ['history', historyStep],
  ['calls', makeCallHistory],
  ['present', makePresentAlarms],
  ['scenarios', attachScenarios],
  ['raises', raiseCalledAlarms],
];

const removeSteps: readonly (readonly [name: string, run: Step])[] = [
  ['alarms', removeAlarms],
  ['calls', removeCalls],
  ['histories', removeHistories],
  ['entries', removeEntriesOfDemo],
];

type BeginDemo = { readonly caller: Caller; readonly seed: number; readonly timeZone: string };

/** Begins to make it, unless there is one. */
export const beginDemo: Operation<BeginDemo, void> = {
  name: 'begin-demo',
  async run(tx, now, { caller, seed, timeZone }) {
    if ((await findDemo(tx)) !== undefined) return;
    const refusal = await whyNotEmpty(tx);
    if (refusal !== undefined) throw new AppError('not-empty', refusal);
    await tx.run(insertDemo, { step: nameAt(makeSteps, 0), seed, timeZone, by: caller.actor, now });
    await appendAudit(tx, now, { kind: 'demo.made', origin: caller, after: { seed, timeZone } });
  },
};

/** Begins to remove it, also half-made; refused while something that is not part of it refers to it. */
export const beginDemoRemoval: Operation<{ readonly caller: Caller }, void> = {
  name: 'begin-demo-removal',
  async run(tx, now, { caller }) {
    const demo = await findDemo(tx);
    if (demo === undefined) throw new AppError('not-found', 'There is no demo plant.');
    if (demo.state === 'removing') return;
    const referrers = await outsideReferrers(tx);
    if (referrers.length > 0) {
      const sentence = `The demo plant is still referred to by ${referrers.join(', ')}.`;
      throw new AppError('still-referred-to', sentence);
    }
    await tx.run(setRemoving, { step: nameAt(removeSteps, 0), by: caller.actor });
    await appendAudit(tx, now, { kind: 'demo.removed', origin: caller, before: { state: demo.state } });
  },
};

/** Does the next step. */
export const stepDemo: Operation<Record<string, never>, Progress> = {
  name: 'step-demo',
  async run(tx, now) {
    const demo = await findDemo(tx);
    if (demo === undefined || demo.state === 'ready') return 'done';
    const steps = demo.state === 'making' ? makeSteps : removeSteps;
    const place = steps.findIndex(([name]) => name === demo.step);
    const progress = await steps[place]?.[1](tx, now, demo);
    if (progress === 'more' || progress === 'waiting') return progress;
    if (place + 1 < steps.length) {
      await tx.run(setStep, { step: nameAt(steps, place + 1), done: 0 });
      return 'more';
    }
    // The last step of a removal has removed the row.
    if (demo.state === 'making') await tx.run(setMove, { moves: 0, nextMoveAt: now + firstMoveMs });
    return 'done';
  },
};

async function historyStep(tx: Tx, _now: Instant, demo: DemoRow): Promise<Progress> {
  const done = await makeOldHistory(tx, demo);
  if (done === undefined) return 'done';
  await tx.run(setStep, { step: demo.step, done });
  return 'more';
}

function nameAt(steps: typeof makeSteps, place: number): string {
  return steps[place]?.[0] ?? '';
}
