// Refuses a `pg` other than the one whose private parts this driver was checked with.
//
// The pipeline (pipeline.ts) subclasses Query and sends the messages of the extended protocol through Connection. Neither
// is documented, so a release of `pg` may change them without notice. Its result would be a wrong row or a write that
// never ends, hence the check before the first connection.

import { Connection, Query } from 'pg';
import manifest from 'pg/package.json' with { type: 'json' };
import { StartError } from '../../errors.ts';

/** The version in package.json. Another patch release is accepted. */
export const checkedVersion = '8.23.1';

type Methods = object;
type Installed = { readonly version: string; readonly connection: Methods; readonly query: Methods };

const connectionMethods = ['parse', 'bind', 'describe', 'execute', 'sync'];

/** The client calls these on the query whose result it reads. */
const queryMethods = [
  'submit',
  'handleRowDescription',
  'handleDataRow',
  'handleCommandComplete',
  'handleError',
  'handleReadyForQuery',
];

export function refuseOtherPg(
  installed: Installed = { version: manifest.version, connection: Connection.prototype, query: Query.prototype },
): void {
  const missing = [
    ...missingIn(installed.connection, connectionMethods).map((name) => `Connection.${name}`),
    ...missingIn(installed.query, queryMethods).map((name) => `Query.${name}`),
  ];
  if (missing.length === 0 && minorOf(installed.version) === minorOf(checkedVersion)) return;
  const lack = missing.length === 0 ? '' : `, which lacks ${missing.join(', ')}`;
  throw new StartError(
    `The package pg ${installed.version} is installed${lack}, but this Tocsin works with pg ${checkedVersion} alone: install its packages again with "npm ci".`,
    'fault',
  );
}

function missingIn(methods: Methods, names: readonly string[]): string[] {
  return names.filter((name) => typeof (methods as Record<string, unknown>)[name] !== 'function');
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
