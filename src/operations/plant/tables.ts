// Row types of stations, data servers and tag groups.

import type { Generated } from 'kysely';
import type { NamedRow } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    stations: NamedRow;
    data_servers: NamedRow & {
      station_id: number;
      built_in: Flag;
      is_system: Flag;
      /** The caller and the number that a placeholder stands in for; null for others. */
      placeholder_actor: string | null;
      placeholder_number: number | null;
      /** The data server that the number of a placeholder has come to mean. */
      moved_to: number | null;
    };
    tag_groups: NamedRow & { station_id: number };
    /** Tags that are still to be moved to another data server, or to take the new name of theirs. */
    pending_moves: {
      id: Generated<number>;
      data_server_id: number;
      /** Null if the data server has another name. */
      moved_to: number | null;
      /** The last alarm that was looked at for a new name. */
      after_id: number;
      actor: string;
    };
  }
}
