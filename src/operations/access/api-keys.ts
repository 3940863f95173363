// Creates and revokes API keys, and records their use.

import type { Caller, Scope } from '../../domain/access/access.ts';
import { keyMistakes } from '../../domain/access/new-api-key.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { removeMeta } from '../../store/meta.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { refuseUnknownStations } from '../people/users.ts';
import { metaOfCalendarKey } from './calendar-keys.ts';
import { selectKeyStations } from './queries.ts';

type NewApiKey = {
  readonly caller: Caller;
  readonly name: string;
  readonly tokenHash: string;
  readonly scopes: readonly Scope[];
  readonly stationIds: readonly number[];
  readonly expiresAt: Instant;
};

export const createApiKey: Operation<NewApiKey, number> = {
  name: 'create-api-key',
  async run(tx, now, { caller, name, tokenHash, scopes, stationIds, expiresAt }) {
    const errors = keyMistakes({ name, expiresAt }, now);
    if (errors[0] !== undefined)
      throw new AppError('invalid-input', `${errors[0].field} ${errors[0].message}.`, { errors });
    if ((await tx.one(selectByName, { name })) !== undefined) {
      throw new AppError('name-taken', `There is an API key named "${name}" already.`);
    }
    await refuseUnknownStations(tx, stationIds);
    const id = await tx.insert(insertKey, {
      name,
      tokenHash,
      scopes: JSON.stringify(scopes),
      actor: caller.actor,
      now,
      expiresAt,
    });
    for (const stationId of new Set(stationIds)) await tx.run(insertKeyStation, { id, stationId });
    await appendEvent(tx, now, {
      kind: 'key.created',
      actor: caller.actor,
      subjectId: id,
      data: { name, scopes, stationIds },
    });
    const after = { name, scopes, stationIds, expiresAt };
    await appendAudit(tx, now, { kind: 'key.created', origin: caller, subject: `key:${id}`, after });
    return id;
  },
};

/**
 * Revokes a key for good: the row is removed, the event log keeps a record. Its hash is kept, so that no restored backup
 * revives it.
 */
export const revokeApiKey: Operation<{ caller: Caller; id: number }, void> = {
  name: 'revoke-api-key',
  async run(tx, now, { caller, id }) {
    const key = await tx.one(selectKey, { id });
    if (key === undefined) throw new AppError('not-found', `There is no API key ${id}.`);
    const stations = (await tx.all(selectKeyStations, { id })).map(({ station_id }) => station_id);
    await tx.run(removeKey, { id });
    await removeMeta(tx, metaOfCalendarKey(id));
    await tx.each(insertRevoked, [{ ...key, key_id: id, revoked_at: now, station_ids: JSON.stringify(stations) }]);
    await appendEvent(tx, now, { kind: 'key.revoked', actor: caller.actor, subjectId: id });
    const before = {
      name: key.name,
      scopes: JSON.parse(key.scopes) as unknown,
      stationIds: stations,
      expiresAt: key.expires_at,
    };
    await appendAudit(tx, now, { kind: 'key.revoked', origin: caller, subject: `key:${id}`, before });
  },
};

export const noteApiKeyUse: Operation<{ id: number }, void> = {
  name: 'note-api-key-use',
  async run(tx, now, { id }) {
    await tx.run(updateLastUse, { id, now });
  },
};

const selectKey = statement((db, args: { id: number }) =>
  db.selectFrom('api_keys').select(['name', 'token_hash', 'scopes', 'expires_at']).where('id', '=', args.id),
);

const selectByName = statement((db, args: { name: string }) =>
  db.selectFrom('api_keys').select('id').where('name', '=', args.name),
);

const insertRevoked = insertRows('revoked_keys', {
  token_hash: 'text',
  key_id: 'int',
  name: 'text',
  expires_at: 'int',
  revoked_at: 'int',
  scopes: 'text',
  station_ids: 'text',
});

const insertKey = statement<
  { name: string; tokenHash: string; scopes: string; actor: string; now: number; expiresAt: number },
  { id: number }
>((db, args) =>
  db
    .insertInto('api_keys')
    .values({
      name: args.name,
      token_hash: args.tokenHash,
      scopes: args.scopes,
      created_by: args.actor,
      created_at: args.now,
      expires_at: args.expiresAt,
      last_used_at: null,
      warned_days: null,
    })
    .returning('id'),
);

const insertKeyStation = statement<{ id: number; stationId: number }>((db, args) =>
  db.insertInto('api_key_stations').values({ api_key_id: args.id, station_id: args.stationId }),
);

const removeKey = statement<{ id: number }>((db, args) => db.deleteFrom('api_keys').where('id', '=', args.id));

const updateLastUse = statement<{ id: number; now: number }>((db, args) =>
  db.updateTable('api_keys').set({ last_used_at: args.now }).where('id', '=', args.id),
);
