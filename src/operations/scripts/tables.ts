// Row type of script runs.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** The script runs that alarms have caused, due or ended. */
    command_runs: {
      id: Generated<number>;
      alarm_id: number;
      alarm_path: string;
      station_id: number;
      script_id: number;
      parameter: string;
      /** `due`, `started`, or how it ended: see domain/script.ts. */
      state: string;
      created_at: Instant;
      started_at: Instant | null;
      /** The time at which the running script was asked to stop. */
      stop_at: Instant | null;
      ended_at: Instant | null;
      exit_code: number | null;
      detail: string;
      lease_by: string | null;
      lease_until: Instant | null;
    };
  }
}
