// What a source reports of an alarm, and how that crosses to the thread that writes.

import type { Caller } from '../../domain/access/access.ts';
import type { DefinitionChange } from '../../domain/alarms/definition.ts';
import type { ThreadCodec } from '../../store/store.ts';
import type { IdempotencyKey } from './idempotency.ts';

export type AlarmReport = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
  readonly path: string | undefined;
  readonly priority: number | undefined;
  readonly value: string | undefined;
  readonly raised: boolean | undefined;
  readonly change: DefinitionChange;
  /** The change as it crossed a thread: most sources send the same with every report. */
  readonly changeJson?: string | undefined;
  /** Makes a repeated request safe: the same key and body get the same answer. */
  readonly once?: IdempotencyKey | undefined;
  /** Leaves an alarm alone that is not at rest: of what is known already nobody needs to hear twice. */
  readonly onlyAtRest?: true | undefined;
};

type Packed = readonly [
  caller: Caller,
  stationId: number | undefined,
  dataServerId: number | undefined,
  tagGroupId: number | undefined,
  path: string | undefined,
  priority: number | undefined,
  value: string | undefined,
  raised: boolean | undefined,
  changeJson: string,
  key: string | undefined,
  bodyHash: string,
  onlyAtRest: true | undefined,
];

/** In a row, for objects with their names are slow to send and to read; the change is read only when it is news. */
export const alarmReportCodec = {
  pack: (report: AlarmReport): Packed => [
    report.caller,
    report.stationId,
    report.dataServerId,
    report.tagGroupId,
    report.path,
    report.priority,
    report.value,
    report.raised,
    JSON.stringify(report.change),
    report.once?.key,
    report.once?.bodyHash ?? '',
    report.onlyAtRest,
  ],
  unpack: (packed: Packed): AlarmReport => new DecodedReport(packed),
} satisfies ThreadCodec<AlarmReport>;

class DecodedReport implements AlarmReport {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
  readonly path: string | undefined;
  readonly priority: number | undefined;
  readonly value: string | undefined;
  readonly raised: boolean | undefined;
  readonly changeJson: string;
  readonly once: IdempotencyKey | undefined;
  readonly onlyAtRest: true | undefined;
  #change: DefinitionChange | undefined;

  constructor(packed: Packed) {
    this.caller = packed[0];
    this.stationId = packed[1];
    this.dataServerId = packed[2];
    this.tagGroupId = packed[3];
    this.path = packed[4];
    this.priority = packed[5];
    this.value = packed[6];
    this.raised = packed[7];
    this.changeJson = packed[8];
    this.once = packed[9] === undefined ? undefined : { key: packed[9], bodyHash: packed[10] };
    this.onlyAtRest = packed[11];
  }

  get change(): DefinitionChange {
    this.#change ??= JSON.parse(this.changeJson) as DefinitionChange;
    return this.#change;
  }
}
