// Row type of work that was under way at unplanned ends of the server.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    quarantine: {
      /** A WorkKind. */
      kind: string;
      subject_id: number;
      /** JSON list of the times of the ends. */
      ends: string;
      /** A QuarantineState. */
      state: string;
      last_end_at: Instant;
      /** When it was begun again as a suspect. */
      tried_at: Instant | null;
    };
  }
}
