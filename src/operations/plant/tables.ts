// Row types of stations, data servers and tag groups.

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
  }
}
