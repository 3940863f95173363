// An entry of the audit trail, the text that its hash is computed of, and the fields that a change has changed. Pure.

/** An entry without hash and seal. `before` and `after` are JSON texts. */
export type AuditEntry = {
  readonly id: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly kind: string;
  /** `user:3`, `key:7`, `cli`, `system`, or `anonymous` for a request without a valid token. */
  readonly actor: string;
  /** The network address or telephone number that the action came from. */
  readonly address: string | undefined;
  readonly stationId: number | undefined;
  /** The subject, as in `alarm:12`, `user:3` or `media:siren.wav`. */
  readonly subject: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** An entry as stored. Its hash covers the entry, not the seal, which is set later. */
export type AuditRow = AuditEntry & {
  readonly hash: string;
  /** The seal of the segment that the row belongs to; undefined until it is sealed. */
  readonly sealId: number | undefined;
};

/** Returns the text that the hash of an entry is computed of: a JSON list of all fields in a fixed order. */
export function entryText(entry: AuditEntry): string {
  const { id, at, kind, actor, address, stationId, subject, before, after } = entry;
  return JSON.stringify([id, at, kind, actor, address, stationId, subject, before, after]);
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the top-level fields that differ, each with its value before and after. */
export function changedFields(before: Fields, after: Fields): { readonly before: Fields; readonly after: Fields } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (fields: Fields): Fields => Object.fromEntries(changed.map((name) => [name, fields[name]]));
  return { before: pick(before), after: pick(after) };
}
