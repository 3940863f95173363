// Row types of stations, data servers and tag groups.

import type { NamedRow } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    stations: NamedRow;
    data_servers: NamedRow & { station_id: number; built_in: Flag };
    tag_groups: NamedRow & { station_id: number };
  }
}
