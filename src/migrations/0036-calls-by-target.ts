// An index by which the last call of a group or a person is found without reading the calls since.

import type { Migration } from '../store/migration.ts';

export const callsByTarget: Migration = {
  version: 36,
  name: 'calls-by-target',
  servesOlderNodes: true,
  statements: () => [`CREATE INDEX calls_by_target ON calls (target_kind, target_id, id)`],
};
