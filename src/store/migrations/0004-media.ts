// Media: the files that alarms refer to by name, in the database because several nodes share it.

import type { Migration } from './migration.ts';

export const media: Migration = {
  version: 4,
  name: 'media',
  statements: ({ int, text, word, end }) => [
    // The name is a word, so that the list has one order on both databases, whatever the locale of the server.
    `CREATE TABLE media (name ${word} PRIMARY KEY, words ${text} NOT NULL, type ${text} NOT NULL, size ${int} NOT NULL,
      last_change ${int} NOT NULL) ${end}`,
    // In parts, so that lists never read content and a backup, which takes many rows at a time, stays small in memory.
    `CREATE TABLE media_parts (name ${word} NOT NULL REFERENCES media (name) ON DELETE CASCADE, place ${int} NOT NULL,
      content ${text} NOT NULL, PRIMARY KEY (name, place)) ${end}`,
  ],
};
