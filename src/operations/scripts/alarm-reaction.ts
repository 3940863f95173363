// Requests and stops script runs in the transaction that changes an alarm.

import { problemOf } from '../../domain/alarms/actions.ts';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import { isCommand } from '../../domain/script.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from '../alarms/actions-to-run.ts';
import type { AlarmChange, Reaction } from '../alarms/reaction.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { endedRow, runRows, scriptRunEnded, selectOpenRuns } from './queries.ts';

type Wanted = { readonly alarm: AlarmRecord; readonly action: AlarmAction; readonly at: Instant };

export class ScriptReaction implements Reaction {
  readonly #tx: Tx;
  readonly #actions: ActionsToRun;
  #runs: Wanted[] = [];
  readonly #stops: Wanted[] = [];

  constructor(tx: Tx, actions: ActionsToRun) {
    this.#tx = tx;
    this.#actions = actions;
  }

  /**
   * Records the script runs and stops a transition asks for. A mask does not prevent them, because running scripts must
   * be stoppable.
   */
  note(change: AlarmChange): void {
    if (change.kind !== 'transition') return;
    const { alarm } = change.entry;
    for (const list of change.transition.actions) {
      for (const action of this.#actions.of(alarm, list)) {
        if (!isCommand(action) || problemOf(action, this.#actions.targets) !== undefined) continue;
        const wanted = { alarm, action, at: change.at };
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

  async write(): Promise<void> {
    if (this.#stops.length > 0) await this.#stopOpen();
    await this.#tx.each(
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
  async #stopOpen(): Promise<void> {
    const tx = this.#tx;
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
