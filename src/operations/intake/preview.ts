// Decides reports as if they were sent now, and writes nothing: what a retry of a refused intake would do.

import type { AlarmState } from '../../domain/alarms/alarm.ts';
import { type ListResult, listResult } from '../../store/list-operation.ts';
import type { JobResult, Operation } from '../../store/store.ts';
import { gatherReports } from '../alarms/intake/gather-reports.ts';
import { type AlarmReported, decideReports, withForeignMarked } from '../alarms/intake/report.ts';
import type { AlarmReport } from '../alarms/intake/report-message.ts';
import { decideValues, type ValueReport } from '../alarms/intake/report-value.ts';
import type { AlarmUnitOfWork } from '../alarms/unit-of-work.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';

/** The alarm that a report would change or make. */
export type Preview = {
  /** Undefined for an alarm that does not exist yet. */
  readonly id: number | undefined;
  readonly name: string;
  readonly before: AlarmState | undefined;
  readonly after: AlarmState;
  readonly warnings: readonly string[];
};

export const previewReports: Operation<readonly AlarmReport[], readonly ListResult<Preview>[]> = {
  name: 'preview-reports',
  async run(tx, now, reports) {
    const { alarms: unit } = beginUnitOfWork(tx, now);
    const jobs = await withForeignMarked(
      tx,
      reports.map((input) => ({ now, input })),
    );
    const gathered = await gatherReports(tx, unit, jobs, true);
    return previewsOf(unit, decideReports(tx, unit, gathered));
  },
};

export const previewValues: Operation<readonly ValueReport[], readonly ListResult<Preview>[]> = {
  name: 'preview-values',
  async run(tx, now, reports) {
    const unit = beginUnitOfWork(tx, now);
    const results = await decideValues(
      tx,
      unit,
      reports.map((input) => ({ now, input })),
    );
    return previewsOf(unit.alarms, results);
  },
};

function previewsOf(
  unit: AlarmUnitOfWork,
  results: readonly JobResult<AlarmReported>[],
): readonly ListResult<Preview>[] {
  return results.map((result) => {
    if (result.kind !== 'done') return listResult(result);
    const { id, warnings } = result.outcome;
    const entry = unit.get(id);
    if (entry === undefined) throw new Error('A report has no alarm');
    const { alarm, loaded } = entry;
    const outcome = {
      id: loaded?.id,
      name: alarm.name,
      before: loaded?.life.state,
      after: alarm.life.state,
      warnings,
    };
    return { kind: 'done', outcome };
  });
}
