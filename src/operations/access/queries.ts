// Queries on users, sessions and API keys, and the lookup of a token's holder.

import { isRole, isScope, type Principal, roles, type Scope, scopesWithin } from '../../domain/access/access.ts';
import { fold } from '../../domain/search.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';

type UserForSignIn = {
  readonly id: number;
  readonly name: string;
  readonly passwordHash: string | undefined;
};

const selectUserByName = statement((db, args: { foldedName: string }) =>
  db.selectFrom('users').select(['id', 'name', 'password_hash']).where('folded_name', '=', args.foldedName),
);

export async function findUser(tx: ReadTx, name: string): Promise<UserForSignIn | undefined> {
  const row = await tx.one(selectUserByName, { foldedName: fold(name) });
  return row && { id: row.id, name: row.name, passwordHash: row.password_hash ?? undefined };
}

const selectAnyUser = statement((db) => db.selectFrom('users').select('id').limit(1));

/** Whether the store has no user, that is, was never started. */
export const isStoreEmpty: Query<Record<string, never>, boolean> = {
  name: 'is-store-empty',
  isQuick: true,
  run: async (tx) => (await tx.one(selectAnyUser, {})) === undefined,
};

/** A principal and the time its token expires. */
export type KnownToken = { readonly principal: Principal; readonly expiresAt: Instant };

const selectSessionByToken = statement((db, args: { tokenHash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.expires_at', 'users.id as user_id', 'users.name', 'users.role'])
    .where('sessions.token_hash', '=', args.tokenHash),
);

export const selectUserStations = statement((db, args: { id: number }) =>
  db.selectFrom('user_stations').select('station_id').where('user_id', '=', args.id).orderBy('station_id'),
);

const selectKeyByToken = statement((db, args: { tokenHash: string }) =>
  db.selectFrom('api_keys').select(['id', 'name', 'scopes', 'expires_at']).where('token_hash', '=', args.tokenHash),
);

export const selectKeyStations = statement((db, args: { id: number }) =>
  db.selectFrom('api_key_stations').select('station_id').where('api_key_id', '=', args.id).orderBy('station_id'),
);

/** Finds the holder of the token with this hash; the caller, who has the clock, checks the expiry. */
export const getTokenHolder: Query<{ tokenHash: string }, KnownToken | undefined> = {
  name: 'get-token-holder',
  isQuick: true,
  run: async (tx, { tokenHash }) => (await sessionHolder(tx, tokenHash)) ?? (await keyHolder(tx, tokenHash)),
};

async function sessionHolder(tx: ReadTx, tokenHash: string): Promise<KnownToken | undefined> {
  const row = await tx.one(selectSessionByToken, { tokenHash });
  if (row === undefined) return undefined;
  const stationIds = (await tx.all(selectUserStations, { id: row.user_id })).map(({ station_id }) => station_id);
  const principal: Principal = {
    kind: 'user',
    id: row.user_id,
    name: row.name,
    sessionId: row.id,
    scopes: scopesWithin(stationIds, isRole(row.role) ? roles[row.role] : []),
    stationIds,
  };
  return { principal, expiresAt: row.expires_at };
}

async function keyHolder(tx: ReadTx, tokenHash: string): Promise<KnownToken | undefined> {
  const row = await tx.one(selectKeyByToken, { tokenHash });
  if (row === undefined) return undefined;
  const stationIds = (await tx.all(selectKeyStations, { id: row.id })).map(({ station_id }) => station_id);
  const principal: Principal = {
    kind: 'key',
    id: row.id,
    name: row.name,
    sessionId: undefined,
    scopes: scopesWithin(stationIds, scopesFrom(row.scopes)),
    stationIds,
  };
  return { principal, expiresAt: row.expires_at };
}

const selectRevokedByToken = statement((db, args: { tokenHash: string }) =>
  db
    .selectFrom('revoked_keys')
    .select(['key_id', 'name', 'scopes', 'station_ids'])
    .where('token_hash', '=', args.tokenHash),
);

/** Finds the holder of a token as it is, or as it was before the token expired or its key was revoked. */
export async function findHolderEver(tx: ReadTx, tokenHash: string): Promise<Principal | undefined> {
  const known = await getTokenHolder.run(tx, { tokenHash });
  if (known !== undefined) return known.principal;
  const row = await tx.one(selectRevokedByToken, { tokenHash });
  if (row === undefined) return undefined;
  const stationIds = JSON.parse(row.station_ids) as number[];
  const scopes = scopesWithin(stationIds, scopesFrom(row.scopes));
  return { kind: 'key', id: row.key_id, name: row.name, sessionId: undefined, scopes, stationIds };
}

const selectRole = statement((db, args: { id: number }) =>
  db.selectFrom('users').select(['name', 'role']).where('id', '=', args.id),
);

const selectScopes = statement((db, args: { id: number }) =>
  db.selectFrom('api_keys').select(['name', 'scopes']).where('id', '=', args.id),
);

/** Returns what a user or key is allowed to do now; undefined when it has been removed or revoked. */
export async function findRightsNow(tx: ReadTx, { kind, id }: Pick<Principal, 'kind' | 'id'>) {
  const stations = await tx.all(kind === 'user' ? selectUserStations : selectKeyStations, { id });
  const stationIds = stations.map(({ station_id }) => station_id);
  if (kind === 'key') {
    const key = await tx.one(selectScopes, { id });
    return key && { name: key.name, stationIds, scopes: scopesWithin(stationIds, scopesFrom(key.scopes)) };
  }
  const user = await tx.one(selectRole, { id });
  const granted = user !== undefined && isRole(user.role) ? roles[user.role] : [];
  return user && { name: user.name, stationIds, scopes: scopesWithin(stationIds, granted) };
}

function scopesFrom(json: string): readonly Scope[] {
  return (JSON.parse(json) as string[]).filter(isScope);
}

type SessionEntry = {
  readonly id: number;
  readonly userId: number;
  readonly userName: string;
  readonly address: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

type AccessPage<T> = { readonly items: readonly T[]; readonly total: number };
type PageRequest = {
  readonly now: Instant;
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
};
type PageArgs = { now: number; limit: number; offset: number };

function selectOpenSessions(order: 'asc' | 'desc') {
  return statement((db, args: PageArgs & { userId: number }) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id', 'user_id', 'users.name', 'address', 'created_at', 'expires_at'])
      .where('expires_at', '>', args.now)
      .where((eb) => eb.or([eb(eb.val(args.userId), '=', 0), eb('user_id', '=', args.userId)]))
      .orderBy('sessions.id', order)
      .limit(args.limit)
      .offset(args.offset),
  );
}

const openSessions = { asc: selectOpenSessions('asc'), desc: selectOpenSessions('desc') };

const countOpenSessions = statement((db, args: { now: number; userId: number }) =>
  db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('expires_at', '>', args.now)
    .where((eb) => eb.or([eb(eb.val(args.userId), '=', 0), eb('user_id', '=', args.userId)])),
);

/** Lists the open sessions of one user or (userId 0) of all. */
export const listSessions: Query<PageRequest & { userId: number }, AccessPage<SessionEntry>> = {
  name: 'list-sessions',
  async run(tx, { now, limit, offset, order, userId }) {
    const rows = limit === 0 ? [] : await tx.all(openSessions[order], { now, limit, offset, userId });
    const total = (await tx.one(countOpenSessions, { now, userId }))?.total ?? 0;
    const items = rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      userName: row.name,
      address: row.address,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
    return { items, total };
  },
};

export type ApiKeyEntry = {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly stationIds: readonly number[];
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly lastUsedAt: Instant | undefined;
};

function selectKeys(order: 'asc' | 'desc') {
  return statement((db, args: { limit: number; offset: number }) =>
    db
      .selectFrom('api_keys')
      .select(['id', 'name', 'scopes', 'created_by', 'created_at', 'expires_at', 'last_used_at'])
      .orderBy('id', order)
      .limit(args.limit)
      .offset(args.offset),
  );
}

const keys = { asc: selectKeys('asc'), desc: selectKeys('desc') };

const countKeys = statement((db) => db.selectFrom('api_keys').select((eb) => eb.fn.countAll<number>().as('total')));

/** Lists all keys, including expired ones, so that they can be seen and removed. */
export const listApiKeys: Query<Omit<PageRequest, 'now'>, AccessPage<ApiKeyEntry>> = {
  name: 'list-api-keys',
  async run(tx, { limit, offset, order }) {
    const rows = limit === 0 ? [] : await tx.all(keys[order], { limit, offset });
    const items: ApiKeyEntry[] = [];
    for (const row of rows) {
      const stations = await tx.all(selectKeyStations, { id: row.id });
      items.push({
        id: row.id,
        name: row.name,
        scopes: scopesFrom(row.scopes),
        stationIds: stations.map(({ station_id }) => station_id),
        createdBy: row.created_by,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at ?? undefined,
      });
    }
    return { items, total: (await tx.one(countKeys, {}))?.total ?? 0 };
  },
};
