// All migrations in order, and which of them a database still needs.

import { StartError } from '../../errors.ts';
import { house } from './0001-house.ts';
import { alarms } from './0002-alarms.ts';
import { historyIndex } from './0003-history-index.ts';
import { media } from './0004-media.ts';
import { nodes } from './0005-nodes.ts';
import { directory } from './0006-directory.ts';
import { calls } from './0007-calls.ts';
import { commands } from './0008-commands.ts';
import { fewerIndexes } from './0009-fewer-indexes.ts';
import { textsOfAlarms } from './0010-texts-of-alarms.ts';
import { keptApart } from './0011-kept-apart.ts';
import { waitingForLines } from './0012-waiting-for-lines.ts';
import { lighterRaises } from './0013-lighter-raises.ts';
import { callStatesInColumns } from './0014-call-states-in-columns.ts';
import { failedRounds } from './0015-failed-rounds.ts';
import { audit } from './0016-audit.ts';
import { signInThrottle } from './0017-sign-in-throttle.ts';
import { revokedKeys } from './0018-revoked-keys.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  house,
  alarms,
  historyIndex,
  media,
  nodes,
  directory,
  calls,
  commands,
  fewerIndexes,
  textsOfAlarms,
  keptApart,
  waitingForLines,
  lighterRaises,
  callStatesInColumns,
  failedRounds,
  audit,
  signInThrottle,
  revokedKeys,
];

export const newestVersion = migrations.length;

/** The notice about a lengthy migration; undefined when the schema is current or new. */
export function upgradeNotice(from: number, to: number): string | undefined {
  if (from === 0 || from >= to) return undefined;
  return `The database is brought from schema ${from} to ${to}. With millions of history entries that takes minutes: let it finish.`;
}

/** Returns the migrations from `version` (0: empty) to the newest. Throws for a database of a newer program. */
export function stepsFrom(version: number): readonly Migration[] {
  if (version > newestVersion) {
    throw new StartError(
      `The database has schema ${version}, but this Tocsin knows only up to ${newestVersion}: start the newer Tocsin that made it, or restore a backup made by this one.`,
      'data-unusable',
    );
  }
  return migrations.filter((migration) => migration.version > version);
}
