// Lists and finds refused intakes, and notes which have been retried.

import type { Caller, Principal } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Query, ReadTx } from '../../store/store.ts';
import { findRightsNow } from '../access/queries.ts';
import { appendAudit } from '../audit/append.ts';
import type { RefusedRequest } from './refusals.ts';
import { updateRetried } from './retried.ts';

export type KeptRefusal = RefusedRequest & {
  readonly id: number;
  readonly actor: string;
  /** The caller as it was. */
  readonly principal: Principal;
  readonly retriedAt: Instant | undefined;
  readonly retriedBy: string | undefined;
};

const columns = [
  'id',
  'at',
  'actor',
  'principal',
  'address',
  'route',
  'code',
  'reason',
  'content_type',
  'body',
  'body_length',
  'retried_at',
  'retried_by',
] as const;

function selectPage(order: 'asc' | 'desc') {
  return statement((db, args: { limit: number; offset: number }) =>
    db.selectFrom('intake_refusals').select(columns).orderBy('id', order).limit(args.limit).offset(args.offset),
  );
}

const pages = { asc: selectPage('asc'), desc: selectPage('desc') };
const countAll = statement((db) =>
  db.selectFrom('intake_refusals').select((eb) => eb.fn.countAll<number>().as('total')),
);
const selectOne = statement((db, args: { id: number }) =>
  db.selectFrom('intake_refusals').select(columns).where('id', '=', args.id),
);

type Row = NonNullable<(typeof selectOne)['types']>['row'];

function refusalOf(row: Row): KeptRefusal {
  const { id, at, actor, address, route, code, reason, body } = row;
  return {
    id,
    at,
    actor,
    principal: JSON.parse(row.principal) as Principal,
    address,
    route,
    code,
    reason,
    contentType: row.content_type,
    body,
    bodyLength: row.body_length,
    // While a retry is under way, nobody has retried it.
    retriedAt: row.retried_by === null ? undefined : (row.retried_at ?? undefined),
    retriedBy: row.retried_by ?? undefined,
  };
}

type Listing = { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number };

export const listRefusals: Query<Listing, { readonly items: readonly KeptRefusal[]; readonly total: number }> = {
  name: 'list-refusals',
  async run(tx, { order, limit, offset }) {
    const rows = limit === 0 ? [] : await tx.all(pages[order], { limit, offset });
    return { items: rows.map(refusalOf), total: (await tx.one(countAll, {}))?.total ?? 0 };
  },
};

/** Returns the refusal, with the caller's rights as they are now or, if it is gone, as they were. */
export const getRefusal: Query<{ id: number }, KeptRefusal | undefined> = {
  name: 'get-refusal',
  isQuick: true,
  async run(tx, { id }) {
    const row = await tx.one(selectOne, { id });
    if (row === undefined) return undefined;
    const refusal = refusalOf(row);
    return { ...refusal, principal: await withRightsNow(tx, refusal.principal) };
  },
};

async function withRightsNow(tx: ReadTx, principal: Principal): Promise<Principal> {
  return { ...principal, ...(await findRightsNow(tx, principal)) };
}

type Claim = { readonly caller: Caller; readonly id: number };

/** A retry that has not ended after this time never will: its server has ended, or could not store the end. */
const mostRetryMs = 60_000;

/** Notes that a refused intake is being retried; of several who do so at once, one may. */
export const claimRefusal: Operation<Claim, void> = {
  name: 'claim-refusal',
  async run(tx, now, { caller, id }) {
    const row = await tx.one(selectOne, { id });
    if (row === undefined) throw new AppError('not-found', `There is no refused request ${id}.`);
    if (row.retried_by !== null) throw new AppError('already-done', 'This request has been retried already.');
    if (row.retried_at !== null && Math.abs(now - row.retried_at) < mostRetryMs)
      throw new AppError('already-done', 'This request is being retried; see in a minute what has become of it.');
    await tx.run(updateRetried, { id, at: now, by: null });
    const { actor, route, at } = refusalOf(row);
    const after = { caller: actor, route, at };
    await appendAudit(tx, now, { kind: 'intake.retried', origin: caller, subject: `refusal:${id}`, after });
  },
};

/** Takes the note back when the retry was refused as well. */
export const releaseRefusal: Operation<{ id: number }, void> = {
  name: 'release-refusal',
  run: async (tx, _now, { id }) => {
    await tx.run(updateRetried, { id, at: null, by: null });
  },
};
