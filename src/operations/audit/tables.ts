// Row types of the audit trail.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** Who did what, when, from where, before and after; see domain/audit/entry.ts. */
    audit_entries: {
      id: Generated<number>;
      at: Instant;
      kind: string;
      actor: string;
      address: string | null;
      /** Null for what concerns the whole installation: callers bound to stations do not see it. */
      station_id: number | null;
      subject: string | null;
      /** JSON objects. */
      before: string | null;
      after: string | null;
      /** SHA-256 of the columns above. */
      hash: string;
      seal_id: number | null;
    };
    /** One per segment of rows, kept when its rows are trimmed; see domain/audit/seal.ts. */
    audit_seals: {
      id: Generated<number>;
      chain: string;
      previous: string | null;
      /** JSON list of [id, hash]. */
      entries: string;
      from_at: Instant;
      to_at: Instant;
      sealed_at: Instant;
      hash: string;
    };
  }
}
