// An alarm report from a source, and its codec for the writer thread.

import type { Caller } from '../../domain/access/access.ts';
import { actionLists } from '../../domain/alarms/actions.ts';
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
  /** The serialised change as received by the writer thread; most sources send the same one with every report. */
  readonly changeJson?: string | undefined;
  /** Makes a repeated request safe: the same key and body return the same outcome. */
  readonly once?: IdempotencyKey | undefined;
  /** Ignores the report unless the alarm is at rest, so that a known problem is not announced twice. */
  readonly onlyAtRest?: true | undefined;
};

/** Definitions up to this length cost the same. */
const smallChange = 512;
const charactersPerWeight = 128;

/** Returns the cost of storing the report: long texts have many words to index, actions are rows. */
export function reportWeight({ change }: Pick<AlarmReport, 'change'>): number {
  let size = 0;
  for (const list of actionLists) {
    const { message = '', shortMessage = '', actions = [] } = change[list] ?? {};
    size += message.length + shortMessage.length + actions.length * charactersPerWeight;
  }
  return size <= smallChange ? 1 : Math.ceil(size / charactersPerWeight);
}

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

/**
 * Encodes a report as a tuple, because objects with property names are slow to clone; the change is parsed only if it
 * is new.
 */
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
