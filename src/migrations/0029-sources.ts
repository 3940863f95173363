// What came from each source (API key or data server): when last, how often usually, and whether it has fallen silent.

import type { Migration } from '../store/migration.ts';

export const sources: Migration = {
  version: 29,
  name: 'sources',
  statements: ({ int, text, end }) => [
    `CREATE TABLE source_news (source ${text} NOT NULL PRIMARY KEY, fed_by ${text}, last_at ${int} NOT NULL, gaps ${text} NOT NULL,
      usual_ms ${int}, silent_at ${int}, is_silent ${int} NOT NULL, has_alarm ${int} NOT NULL) ${end}`,
    `CREATE INDEX source_news_due ON source_news (silent_at) WHERE is_silent = 0 AND silent_at IS NOT NULL`,
    `CREATE INDEX source_news_silent ON source_news (source) WHERE is_silent = 1`,
  ],
};
