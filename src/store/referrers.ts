// What refers to an entry of the directory, by name, so that a refused removal can say what stands in its way.

import type { DirectoryKind } from '../domain/directory.ts';
import { type Statement, statement } from './statement.ts';
import type { ReadTx } from './store.ts';

type Reference = { readonly noun: string; readonly select: Statement<{ id: number }, { id: number; name: string }> };

/** Enough to know where to look. */
const mostNamed = 5;

function alarmsBy(column: 'station_id' | 'data_server_id' | 'tag_group_id'): Reference {
  return {
    noun: 'alarm',
    select: statement((db, args: { id: number }) =>
      db.selectFrom('alarms').select(['id', 'name']).where(column, '=', args.id).limit(mostNamed),
    ),
  };
}

const referencesTo: Record<DirectoryKind, readonly Reference[]> = {
  station: [
    alarmsBy('station_id'),
    {
      noun: 'data server',
      select: statement((db, args: { id: number }) =>
        db
          .selectFrom('data_servers')
          .select(['id', 'name'])
          .where('station_id', '=', args.id)
          .where('built_in', '=', 0)
          .limit(mostNamed),
      ),
    },
    {
      noun: 'tag group',
      select: statement((db, args: { id: number }) =>
        db.selectFrom('tag_groups').select(['id', 'name']).where('station_id', '=', args.id).limit(mostNamed),
      ),
    },
    {
      noun: 'user',
      select: statement((db, args: { id: number }) =>
        db
          .selectFrom('user_stations')
          .innerJoin('users', 'users.id', 'user_id')
          .select(['users.id', 'users.name'])
          .where('station_id', '=', args.id)
          .limit(mostNamed),
      ),
    },
    {
      noun: 'API key',
      select: statement((db, args: { id: number }) =>
        db
          .selectFrom('api_key_stations')
          .innerJoin('api_keys', 'api_keys.id', 'api_key_id')
          .select(['api_keys.id', 'api_keys.name'])
          .where('station_id', '=', args.id)
          .limit(mostNamed),
      ),
    },
  ],
  dataServer: [alarmsBy('data_server_id')],
  tagGroup: [alarmsBy('tag_group_id')],
};

/** The things that refer to the entry, such as `tag group 4 "Pumps"`. */
export async function referrersOf(tx: ReadTx, kind: DirectoryKind, id: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { noun, select } of referencesTo[kind]) {
    for (const row of await tx.all(select, { id })) found.push(`${noun} ${row.id} "${row.name}"`);
  }
  return found.slice(0, mostNamed);
}
