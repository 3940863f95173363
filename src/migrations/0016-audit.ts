// The audit trail: entries and the seals of their segments.

import type { Migration } from '../store/migration.ts';

export const audit: Migration = {
  version: 16,
  name: 'audit',
  statements: ({ id, int, text, end }) => [
    `CREATE TABLE audit_entries (id ${id}, at ${int} NOT NULL, kind ${text} NOT NULL, actor ${text} NOT NULL,
      address ${text}, station_id ${int}, subject ${text}, before ${text}, after ${text}, hash ${text} NOT NULL,
      seal_id ${int}) ${end}`,
    `CREATE INDEX audit_entries_unsealed ON audit_entries (id) WHERE seal_id IS NULL`,
    `CREATE INDEX audit_entries_by_seal ON audit_entries (seal_id) WHERE seal_id IS NOT NULL`,
    `CREATE INDEX audit_entries_by_time ON audit_entries (at, id)`,
    `CREATE INDEX audit_entries_by_kind ON audit_entries (kind, at, id)`,
    `CREATE INDEX audit_entries_by_actor ON audit_entries (actor, at, id)`,
    `CREATE INDEX audit_entries_by_subject ON audit_entries (subject, at, id)`,
    `CREATE TABLE audit_seals (id ${id}, chain ${text} NOT NULL, previous ${text}, entries ${text} NOT NULL,
      from_at ${int} NOT NULL, to_at ${int} NOT NULL, sealed_at ${int} NOT NULL, hash ${text} NOT NULL) ${end}`,
  ],
};
