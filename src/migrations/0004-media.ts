// Media files that alarms refer to by name; stored in the database because several nodes share it.

import type { Migration } from '../store/migration.ts';

export const media: Migration = {
  version: 4,
  name: 'media',
  statements: ({ int, text, word, end }) => [
    // The name is compared byte by byte, so that the list has the same order on both databases, whatever the server's
    // locale.
    `CREATE TABLE media (name ${word} PRIMARY KEY, words ${text} NOT NULL, type ${text} NOT NULL, size ${int} NOT NULL,
      last_change ${int} NOT NULL) ${end}`,
    // Content is stored in parts, so that lists never read it and a backup, which reads many rows at a time, needs
    // little memory.
    `CREATE TABLE media_parts (name ${word} NOT NULL REFERENCES media (name) ON DELETE CASCADE, place ${int} NOT NULL,
      content ${text} NOT NULL, PRIMARY KEY (name, place)) ${end}`,
  ],
};
