// The unit of work of a transaction: alarms, and everything that reacts to their changes, registered here.

import { NewIds } from '../store/new-ids.ts';
import type { Instant, Tx } from '../store/store.ts';
import { ActionsToRun } from './alarms/actions-to-run.ts';
import { AlarmEvents } from './alarms/append-events.ts';
import { AlarmUnitOfWork } from './alarms/unit-of-work.ts';
import { AlarmAudit } from './audit/alarm-reaction.ts';
import { CallReaction } from './calls/alarm-reaction.ts';
import { FollowUpReaction } from './calls/notices/follow-ups.ts';
import { HistoryReaction } from './history/alarm-reaction.ts';
import { ScriptReaction } from './scripts/alarm-reaction.ts';
import { readLead } from './system/reference-time.ts';

export type UnitOfWork = {
  readonly alarms: AlarmUnitOfWork;
  /** Adds and ends the causes of calls when alarms change. */
  readonly causes: CallReaction;
};

export function beginUnitOfWork(tx: Tx, now: Instant): UnitOfWork {
  const ids = new NewIds();
  const actions = new ActionsToRun(tx);
  const events = new AlarmEvents(tx, ids, actions);
  const causes = new CallReaction({ tx, ids, actions });
  // History is first: it begins the occurrence that the others refer to. Events are last: they show the alarm as it is then.
  const followUps = new FollowUpReaction(tx, ids, causes);
  const others = [new ScriptReaction(tx, actions), new AlarmAudit(tx)];
  const reactions = [new HistoryReaction(tx, ids), causes, followUps, ...others, events];
  const alarms = new AlarmUnitOfWork(tx, now, { ids, actions, reactions, readLead: () => readLead(tx, now) });
  return { alarms, causes };
}
