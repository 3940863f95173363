// Requests and stops script runs in the transaction that changes an alarm.

import { problemOf, type Targets } from '../../domain/alarms/actions.ts';
import type { ActionList, Transition } from '../../domain/alarms/alarm.ts';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import { isCommand } from '../../domain/script.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { endedRow, runRows, scriptRunEnded, selectOpenRuns } from './queries.ts';

type Wanted = { readonly alarm: AlarmRecord; readonly action: AlarmAction; readonly at: Instant };

/** Provides the actions of an alarm, including those of its scenarios. */
type ActionsOf = {
  readonly targets: Targets;
  actionsToRun(entry: { readonly alarm: AlarmRecord }, list: ActionList): readonly AlarmAction[];
};

export class ScriptReaction {
  #runs: Wanted[] = [];
  readonly #stops: Wanted[] = [];

  /**
   * Records the script runs and stops a transition asks for. A mask does not prevent them, because running scripts must
   * be stoppable.
   */
  note(actions: ActionsOf, entry: { readonly alarm: AlarmRecord }, transition: Transition, at: Instant): void {
    for (const list of transition.actions) {
      for (const action of actions.actionsToRun(entry, list)) {
        if (!isCommand(action) || problemOf(action, actions.targets) !== undefined) continue;
        const wanted = { alarm: entry.alarm, action, at };
        if (action.type === 'ExecuteCommand') this.#runs.push(wanted);
        else this.#stop(wanted);
      }
    }
  }

  /** Drops runs requested earlier in the same transaction, which have not started. */
  #stop(wanted: Wanted): void {
    this.#runs = this.#runs.filter(({ alarm, action }) => !isSame(wanted, alarm.id, action.scriptId));
    this.#stops.push(wanted);
  }

  async write(tx: Tx): Promise<void> {
    if (this.#stops.length > 0) await this.#stopOpen(tx);
    await tx.each(
      runRows.insert,
      this.#runs.map(({ alarm, action, at }) => ({
        alarm_id: alarm.id,
        alarm_path: alarm.path,
        station_id: alarm.stationId,
        script_id: action.scriptId,
        parameter: action.parameter,
        state: 'due',
        created_at: at,
        detail: '',
      })),
    );
  }

  /** Marks started runs, which the node that started them will stop, and ends the due ones here. */
  async #stopOpen(tx: Tx): Promise<void> {
    const alarmIds = JSON.stringify([...new Set(this.#stops.map(({ alarm }) => alarm.id))]);
    const open = (await tx.all(selectOpenRuns, { alarmIds })).flatMap((run) => {
      const stop = this.#stops.find((wanted) => isSame(wanted, run.alarm_id, run.script_id));
      return stop === undefined ? [] : [{ run, at: stop.at }];
    });
    const result = { outcome: 'stopped', detail: 'stopped before it began', output: '' } as const;
    const waiting = open.filter(({ run }) => run.state === 'due');
    await tx.each(
      runRows.stop,
      open.filter(({ run }) => run.state !== 'due').map(({ run, at }) => ({ id: run.id, stop_at: at })),
    );
    await tx.each(
      runRows.end,
      waiting.map(({ run, at }) => endedRow(run, at, result)),
    );
    await appendEvents(
      tx,
      waiting.map(({ run, at }) => ({ ...scriptRunEnded(run, result), at })),
    );
  }
}

function isSame({ alarm, action }: Wanted, alarmId: number, scriptId: number): boolean {
  return alarm.id === alarmId && action.scriptId === scriptId;
}
