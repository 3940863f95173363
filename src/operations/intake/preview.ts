// Decides reports as if they were sent now, and writes nothing: what a retry of a refused intake would do.

import type { AlarmState } from '../../domain/alarms/alarm.ts';
import { type ListResult, listResult } from '../../store/list-operation.ts';
import type { JobResult, Operation } from '../../store/store.ts';
import { TagMap } from '../alarms/cache.ts';
import { gatherReports } from '../alarms/intake/gather-reports.ts';
import { type AlarmReported, decideReports, withForeignMarked } from '../alarms/intake/report.ts';
import type { AlarmReport } from '../alarms/intake/report-message.ts';
import { decideValue, locateValues, type ValueReport } from '../alarms/intake/report-value.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import type { AlarmUnitOfWork } from '../alarms/unit-of-work.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';

/** The alarm that a report would change or make. */
export type Preview = {
  /** Undefined for an alarm that does not exist yet. */
  readonly id: number | undefined;
  readonly name: string;
  /** Its states before and after this item. */
  readonly before: AlarmState | undefined;
  readonly after: AlarmState;
  readonly warnings: readonly string[];
};

/** Each item is shown as it is decided after those before it. */
export const previewReports: Operation<readonly AlarmReport[], readonly ListResult<Preview>[]> = {
  name: 'preview-reports',
  async run(tx, now, reports) {
    const { alarms: unit } = beginUnitOfWork(tx, now);
    const jobs = await withForeignMarked(
      tx,
      reports.map((input) => ({ now, input })),
    );
    const previews: ListResult<Preview>[] = [];
    /** The names of removed alarms, which are free again for those that come in their place. */
    const freed = new TagMap<string>();
    while (previews.length < jobs.length) {
      const gathered = await gatherReports(tx, unit, jobs.slice(previews.length), true);
      for (const report of gathered.reports) {
        const known = report.tag && unit.find(report.tag)?.alarm;
        const [result] = decideReports(tx, unit, { ...gathered, reports: [report] });
        if (result === undefined) {
          // It waits for the next pass, in which it makes a new alarm in place of the removed one.
          if (report.tag !== undefined) {
            freed.set(...report.tag, known?.name ?? '');
            unit.forget(report.tag);
          }
          break;
        }
        previews.push(previewOf(unit, result, known, report.tag && freed.get(...report.tag)));
      }
    }
    return previews;
  },
};

export const previewValues: Operation<readonly ValueReport[], readonly ListResult<Preview>[]> = {
  name: 'preview-values',
  async run(tx, now, reports) {
    const { alarms: unit } = beginUnitOfWork(tx, now);
    const jobs = reports.map((input) => ({ now, input }));
    return (await locateValues(tx, unit, jobs)).map((value) => {
      const known = unit.find(value.tag)?.alarm;
      return previewOf(unit, decideValue(unit, value), known);
    });
  },
};

/** `before` is the alarm before the item, if there was one. */
function previewOf(
  unit: AlarmUnitOfWork,
  result: JobResult<AlarmReported>,
  before: AlarmRecord | undefined,
  name?: string,
): ListResult<Preview> {
  if (result.kind !== 'done') return listResult(result);
  const { id, warnings } = result.outcome;
  const entry = unit.get(id);
  if (entry === undefined) throw new Error('A report has no alarm');
  const { alarm, loaded } = entry;
  const states = { before: before?.life.state, after: alarm.life.state };
  return { kind: 'done', outcome: { id: loaded?.id, name: name ?? alarm.name, ...states, warnings } };
}
