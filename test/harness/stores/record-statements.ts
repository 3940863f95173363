// Records which statements this process prepares on SQLite and on PostgreSQL, for the check at the end of a whole run
// (statement-coverage.ts). It listens at the two database libraries, so that the server does not know of it.
// Servers and commands that tests start as processes are not recorded; their tests run on both databases.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type DatabaseKind, declaredStatements } from '../../../src/store/statement.ts';
import type { UsedStatement } from './statement-coverage.ts';

const folder = process.env.TOCSIN_TEST_STATEMENTS;

if (folder !== undefined) {
  const prepared: Record<DatabaseKind, Set<string>> = { sqlite: new Set(), postgres: new Set() };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (text, ...rest) {
    prepared.sqlite.add(text);
    return prepare.call(this, text, ...rest);
  };
  const { parse } = pg.Connection.prototype;
  pg.Connection.prototype.parse = function (query, more) {
    prepared.postgres.add(query.text);
    parse.call(this, query, more);
  };
  process.once('exit', () => {
    const used = declaredStatements.flatMap((entry): UsedStatement[] => {
      const text = entry.compiledFor('sqlite').text;
      const on = {
        sqlite: prepared.sqlite.has(text),
        postgres: prepared.postgres.has(entry.compiledFor('postgres').text),
      };
      return on.sqlite || on.postgres ? [{ text, ...on }] : [];
    });
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(used));
  });
}
