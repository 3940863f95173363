// Seals of the audit trail: a seal holds the hashes of the rows of one segment and the hash of the seal before. Pure.

/** Returns a SHA-256 in hexadecimal; passed in, because the domain imports no package. */
export type Hasher = (text: string) => string;

export type Seal = {
  readonly id: number;
  /** The epoch of the store; a restore begins a new one. */
  readonly chain: string;
  /**
   * The hash of the seal before; undefined for the first of all. The first seal after a restore thereby names the chain
   * that the backup continues.
   */
  readonly previous: string | undefined;
  /** The rows of the segment in ascending order. */
  readonly entries: readonly SealedEntry[];
  /** The times of the oldest and of the newest row. */
  readonly from: number;
  readonly to: number;
  readonly sealedAt: number;
  readonly hash: string;
};

export type SealedEntry = readonly [id: number, hash: string];

/** Returns the text that the hash of a seal is computed of. */
export function sealText({ id, chain, previous, entries, from, to, sealedAt }: Omit<Seal, 'hash'>): string {
  return JSON.stringify([id, chain, previous, entries, from, to, sealedAt]);
}

type RowToSeal = { readonly id: number; readonly at: number; readonly hash: string };
type Place = Pick<Seal, 'id' | 'chain' | 'previous' | 'sealedAt'>;

/** Seals the rows, of which there must be at least one. */
export function sealOf(rows: readonly RowToSeal[], { id, chain, previous, sealedAt }: Place, hasher: Hasher): Seal {
  const times = rows.map(({ at }) => at);
  const seal = {
    id,
    chain,
    previous,
    entries: rows.map((row) => [row.id, row.hash] as const),
    from: Math.min(...times),
    to: Math.max(...times),
    sealedAt,
  };
  return { ...seal, hash: hasher(sealText(seal)) };
}
