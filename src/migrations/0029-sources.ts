// Sources (API keys and data servers): when each last sent, how often it usually does, and whether it has fallen silent.

import type { Migration } from '../store/migration.ts';

export const sources: Migration = {
  version: 29,
  name: 'sources',
  statements: ({ int, text, end }) => [
    `CREATE TABLE source_reports (source ${text} NOT NULL PRIMARY KEY, fed_by ${text}, last_at ${int} NOT NULL, gaps ${text} NOT NULL,
      usual_ms ${int}, silent_at ${int}, is_silent ${int} NOT NULL, has_alarm ${int} NOT NULL) ${end}`,
    `CREATE INDEX source_reports_due ON source_reports (silent_at) WHERE is_silent = 0 AND silent_at IS NOT NULL`,
    `CREATE INDEX source_reports_silent ON source_reports (source) WHERE is_silent = 1`,
  ],
};
