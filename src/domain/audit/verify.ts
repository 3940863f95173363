// Verifies the audit trail segment by segment and names the first row or seal that was tampered with. Pure.

import { type AuditRow, entryText } from './entry.ts';
import { type Hasher, type Seal, sealText } from './seal.ts';

export type Finding =
  | { readonly of: 'row'; readonly id: number; readonly change: 'changed' | 'removed' | 'added' }
  | { readonly of: 'row'; readonly id: number; readonly change: 'moved'; readonly to: string }
  | {
      readonly of: 'seal';
      readonly id: number;
      readonly change: 'changed' | 'added' | 'removed' | 'removed-before' | 'cut-off';
    };

export type Segment = {
  readonly seal: Seal;
  /** The rows that name this seal, and the rows that this seal names. */
  readonly rows: readonly AuditRow[];
  /** The id of a seal before this one that rows name and that does not exist. */
  readonly missingSealId: number | undefined;
};

/** The last segment whose rows were trimmed; those of all segments before it were too. */
export type Trimming = { readonly sealId: number; readonly sealHash: string };

/** The newest seal that a server has made, as a file outside of the database says. */
export type KnownSeal = Pick<Seal, 'id' | 'chain' | 'hash'>;

/** Verifies the segments of a trail in the order of their seals. */
export class TrailVerifier {
  readonly #hasher: Hasher;
  readonly #known: KnownSeal | undefined;
  #last: Seal | undefined;
  #secondLast: Seal | undefined;

  constructor(hasher: Hasher, known?: KnownSeal) {
    this.#hasher = hasher;
    this.#known = known;
  }

  /** Returns the first finding in the next segment. */
  segment({ seal, rows, missingSealId }: Segment, trimming: Trimming | undefined): Finding | undefined {
    const finding = removed(missingSealId) ?? this.#seal(seal, trimming) ?? this.#rows(seal, rows, trimming);
    this.#secondLast = this.#last;
    this.#last = seal;
    return finding;
  }

  /** Returns a finding for a row that no seal covers yet: only its own hash can tell whether it was changed. */
  unsealed(row: AuditRow): Finding | undefined {
    return row.hash === this.#hasher(entryText(row)) ? undefined : { of: 'row', id: row.id, change: 'changed' };
  }

  /**
   * Returns a finding after the last segment if rows or the trimming name a seal that does not exist, or if a server has made
   * one after it. `chain`: that of the store; a restore begins another.
   */
  end(trimming: Trimming | undefined, missingSealId: number | undefined, chain: string): Finding | undefined {
    const lastId = this.#last?.id ?? 0;
    const isTrimmedAway = trimming !== undefined && trimming.sealId > lastId;
    const finding = removed(missingSealId ?? (isTrimmedAway ? trimming.sealId : undefined));
    if (finding !== undefined || this.#known === undefined || this.#known.chain !== chain) return finding;
    return this.#known.id > lastId ? { of: 'seal', id: this.#known.id, change: 'cut-off' } : undefined;
  }

  #seal(seal: Seal, trimming: Trimming | undefined): Finding | undefined {
    const { id, hash, previous } = seal;
    const isTrimmedOther = trimming?.sealId === id && trimming.sealHash !== hash;
    const isKnownOther = this.#known?.id === id && this.#known.chain === seal.chain && this.#known.hash !== hash;
    if (hash !== this.#hasher(sealText(seal)) || isTrimmedOther || isKnownOther)
      return { of: 'seal', id, change: 'changed' };
    if (previous === this.#last?.hash) return undefined;
    if (this.#last !== undefined && previous === this.#secondLast?.hash)
      return { of: 'seal', id: this.#last.id, change: 'added' };
    return { of: 'seal', id, change: 'removed-before' };
  }

  #rows(seal: Seal, rows: readonly AuditRow[], trimming: Trimming | undefined): Finding | undefined {
    const isTrimmed = trimming !== undefined && seal.id <= trimming.sealId;
    const sealed = new Map(isTrimmed ? [] : seal.entries);
    const present = new Map(rows.map((row) => [row.id, row]));
    const ids = [...new Set([...sealed.keys(), ...present.keys()])].sort((one, other) => one - other);
    for (const id of ids) {
      const finding = this.#row(id, { seal, sealed, present });
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  #row(id: number, segment: SegmentRows): Finding | undefined {
    const { seal, sealed, present } = segment;
    const [row, hash] = [present.get(id), sealed.get(id)];
    if (row === undefined) return this.#missing(id, hash ?? '', present);
    const isSame = hash !== undefined && row.hash === hash && this.#hasher(entryText(row)) === hash;
    if (isSame && row.sealId === seal.id) return undefined;
    if (isSame) return { of: 'row', id, change: 'moved', to: segmentName(row.sealId) };
    const origin = [...sealed].find(([other, expected]) => other !== id && this.#isAs(row, other, expected));
    if (origin !== undefined) return { of: 'row', id: origin[0], change: 'moved', to: `row ${id}` };
    return { of: 'row', id, change: hash === undefined ? 'added' : 'changed' };
  }

  #missing(id: number, hash: string, present: SegmentRows['present']): Finding {
    const moved = [...present.values()].find((row) => this.#isAs(row, id, hash));
    if (moved === undefined) return { of: 'row', id, change: 'removed' };
    return { of: 'row', id, change: 'moved', to: `row ${moved.id}` };
  }

  /** Whether the row has the content that was sealed under another id. */
  #isAs(row: AuditRow, id: number, hash: string): boolean {
    return this.#hasher(entryText({ ...row, id })) === hash;
  }
}

function removed(sealId: number | undefined): Finding | undefined {
  return sealId === undefined ? undefined : { of: 'seal', id: sealId, change: 'removed' };
}

type SegmentRows = {
  readonly seal: Seal;
  readonly sealed: ReadonlyMap<number, string>;
  readonly present: ReadonlyMap<number, AuditRow>;
};

function segmentName(sealId: number | undefined): string {
  return sealId === undefined ? 'the rows not sealed yet' : `segment ${sealId}`;
}

/** Returns the finding as a sentence. */
export function findingText(finding: Finding): string {
  const { of, id, change } = finding;
  if (finding.change === 'moved') return `Row ${id} was moved to ${finding.to}.`;
  if (change === 'removed-before') return `The seal before seal ${id} was removed or changed.`;
  if (change === 'cut-off')
    return `The end of the trail was removed: a server has made seal ${id}, which is not there.`;
  return `${of === 'row' ? 'Row' : 'Seal'} ${id} was ${change}.`;
}
