// An alarm report from a source, and its codec for the writer thread.

import type { Caller } from '../../../domain/access/access.ts';
import { actionLists } from '../../../domain/alarms/actions.ts';
import type { DefinitionChange } from '../../../domain/alarms/definition.ts';
import type { ThreadCodec } from '../../../store/store.ts';
import { type FieldsOf, field, tupleCodec } from '../../../store/threads/tuple-codec.ts';
import type { IdempotencyKey } from './idempotency.ts';

/** The fields of a report apart from its change, which is sent between threads as text. */
const reportFields = {
  caller: field<Caller>(),
  stationId: field<number | undefined>(),
  dataServerId: field<number | undefined>(),
  tagGroupId: field<number | undefined>(),
  path: field<string | undefined>(),
  priority: field<number | undefined>(),
  value: field<string | undefined>(),
  raised: field<boolean | undefined>(),
};

/** The fields that few reports have. */
const rareFields = {
  /** Makes a repeated request safe: the same key and body return the same outcome. */
  once: field<IdempotencyKey | undefined>(),
  /** Fields whose values could not be read: a new alarm takes the safe side for them. */
  unreadable: field<readonly ('priority' | 'raised')[] | undefined>(),
  /** When the source saw what it reports, if it says so. */
  time: field<number | undefined>(),
  /** Refuses the report, with nothing stored, instead of taking it with warnings. */
  isStrict: field<true | undefined>(),
  /** Fields that were left out of the request, if that may change who is called; a system alarm names them. */
  unusable: field<readonly string[] | undefined>(),
  /** Refuses the report if its alarm has changed after this time. */
  unchangedSince: field<number | undefined>(),
  /**
   * Raises the alarm only if it is at rest, so that a known problem is not announced twice; otherwise `grow` adds the new
   * lines to its message, and `ignore` does nothing.
   */
  unlessAtRest: field<'ignore' | 'grow' | undefined>(),
  /** Whether a return to normal ends the calls for the alarm, whatever the policy says of its priority. */
  endsCalls: field<true | undefined>(),
  /** Leaves out the report if its tag has no alarm: a return to normal of what was never raised defines nothing. */
  onlyIfKnown: field<true | undefined>(),
};

export type AlarmReport = FieldsOf<typeof reportFields> &
  Partial<FieldsOf<typeof rareFields>> & {
    readonly change: DefinitionChange;
    /** The serialised change as received by the writer thread; most sources send the same one with every report. */
    readonly changeJson?: string | undefined;
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

const fields = tupleCodec({ ...reportFields, ...rareFields });

type Packed = readonly [fields: readonly unknown[], changeJson: string];

/**
 * Encodes a report as tuples, because objects with property names are slow to clone; the change is parsed only if it is
 * new.
 */
export const alarmReportCodec = {
  pack: (report: AlarmReport): Packed => [fields.pack(report), JSON.stringify(report.change)],
  unpack: ([packed, changeJson]: Packed): AlarmReport => {
    return fields.unpackInto(new DecodedChange(changeJson), packed);
  },
} satisfies ThreadCodec<AlarmReport>;

class DecodedChange {
  readonly changeJson: string;
  #change: DefinitionChange | undefined;

  constructor(changeJson: string) {
    this.changeJson = changeJson;
  }

  get change(): DefinitionChange {
    this.#change ??= JSON.parse(this.changeJson) as DefinitionChange;
    return this.#change;
  }
}
