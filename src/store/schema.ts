// The schema a store is opened with, and which migrations a database still needs.

import { StartError } from '../errors.ts';
import type { Migration } from './migration.ts';

export type Schema = {
  /** In order; the version of a migration is its place, beginning with 1. */
  readonly migrations: readonly Migration[];
  /** Every table, in an order in which rows can be restored without breaking a reference. */
  readonly tables: readonly string[];
  /** A table that has rows from the first start on; while it has none, the store was never started. */
  readonly filledAtStart: string;
  /** Columns with a meaning inside one database only, such as event ids, by table; a backup leaves them out. */
  readonly internalColumns: Readonly<Record<string, readonly string[]>>;
  /** Tables whose rows a backup leaves out. */
  readonly notInBackups: readonly string[];
  /** Tables with an id and a name whose lost rows a rescue replaces by stand-ins, because much that is readable refers to them. */
  readonly withStandIns: readonly string[];
};

export function newestVersion({ migrations }: Schema): number {
  return migrations.length;
}

/**
 * What may happen to the schema of a database when it is opened: a server's start makes and upgrades it, `tocsin migrate`
 * upgrades it, and every other command, which may run beside a server, leaves it as it is.
 */
export type SchemaChange = 'make-or-upgrade' | 'upgrade' | 'none';

/** Throws for a database whose version must not be worked with, or not be changed to the newest. */
export function refuseVersion(schema: Schema, version: number, allowed: SchemaChange): void {
  const steps = stepsFrom(schema, version).length;
  if (version === 0 && allowed !== 'make-or-upgrade') throw nothingIn('the database');
  if (steps > 0 && allowed === 'none') {
    throw new StartError(
      `The database has schema ${version}, and this Tocsin works with ${newestVersion(schema)}: start the server of this version, or run "tocsin migrate" while no server runs. Nothing was changed.`,
      'needs-migration',
    );
  }
}

/** The error of a command for a store that was never started. */
export function nothingIn(place: string): StartError {
  return new StartError(
    `There is nothing in ${place} yet: start Tocsin once with "npm start", or name the place of the server that runs.`,
    'bad-usage',
  );
}

/** The notice about a lengthy migration; undefined when the schema is current or new. */
export function upgradeNotice(from: number, to: number): string | undefined {
  if (from === 0 || from >= to) return undefined;
  return `The database is brought from schema ${from} to ${to}. With millions of history entries that takes minutes: let it finish.`;
}

/** Returns the migrations from `version` (0: empty) to the newest. Throws for a database of a newer program. */
export function stepsFrom(schema: Schema, version: number): readonly Migration[] {
  const newest = newestVersion(schema);
  if (version > newest) {
    throw new StartError(
      `The database has schema ${version}, but this Tocsin knows only up to ${newest}: start the newer Tocsin that made it, or restore a backup made by this one.`,
      'data-unusable',
    );
  }
  return schema.migrations.filter((migration) => migration.version > version);
}
