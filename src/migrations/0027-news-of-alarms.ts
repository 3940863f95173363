// News of alarms for consoles: the newest gathered event of each alarm, when it was told, and when the next is due.

import type { Migration } from '../store/migration.ts';

export const newsOfAlarms: Migration = {
  version: 27,
  name: 'news-of-alarms',
  statements: ({ int }) => [
    `ALTER TABLE alarms ADD COLUMN news_event_id ${int}`,
    `ALTER TABLE alarms ADD COLUMN news_at ${int}`,
    `ALTER TABLE alarms ADD COLUMN news_due ${int}`,
  ],
};
