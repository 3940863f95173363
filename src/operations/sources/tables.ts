// Row type of what came from each source.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    source_reports: {
      /** `key:7` or `server:3`. */
      source: string;
      /** The key that sent the last reports of a data server; null: a person. */
      fed_by: string | null;
      last_at: Instant;
      /** JSON of the gaps between reports. */
      gaps: string;
      usual_ms: number | null;
      /** When its silence becomes unusual; null if it is not regular. */
      silent_at: Instant | null;
      is_silent: Flag;
      /** Whether a system alarm says that it is silent. */
      has_alarm: Flag;
    };
  }
}
