// How many occurrences an alarm has begun of late, and since when the return of a chattering one has lasted.

import type { Migration } from '../store/migration.ts';

export const chatteringAlarms: Migration = {
  version: 34,
  name: 'chattering-alarms',
  statements: ({ int }) => [
    `ALTER TABLE alarms ADD COLUMN chatter_until ${int}`,
    `ALTER TABLE alarms ADD COLUMN return_since ${int}`,
  ],
};
