// Records refused requests and failed sign-ins in the audit trail.

import type { Instant, Operation, Tx } from '../../store/store.ts';
import { findUser } from '../access/queries.ts';
import { stationOfUser } from '../access/sessions.ts';
import { type AuditOrigin, appendAudits, type NewAuditEntry } from './append.ts';

/** Equal refusals, counted. */
export type CountedRefusals = {
  readonly origin: AuditOrigin;
  readonly code: string;
  /** The method and the path of the route, of the first of them. */
  readonly route: string;
  /** Set for sign-ins. The name is that of a user: a text that is none may be a password typed into the wrong field. */
  readonly signIn?: { readonly name: string | undefined };
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

export const recordRefusals: Operation<readonly CountedRefusals[], void> = {
  name: 'record-refusals',
  async run(tx, _now, refusals) {
    const entries: (NewAuditEntry & { at: Instant })[] = [];
    for (const refusal of refusals) entries.push({ at: refusal.lastAt, ...(await entryOf(tx, refusal)) });
    await appendAudits(tx, entries);
  },
};

async function entryOf(
  tx: Tx,
  { origin, code, route, signIn, count, firstAt }: CountedRefusals,
): Promise<NewAuditEntry> {
  const after = { code, route, count, firstAt };
  if (signIn === undefined) return { kind: 'request.refused', origin, after };
  const { name } = signIn;
  if (name === undefined) return { kind: 'sign-in.failed', origin, after };
  const user = await findUser(tx, name);
  return {
    kind: 'sign-in.failed',
    origin,
    after: { name, ...after },
    ...(user && { subject: `user:${user.id}`, stationId: await stationOfUser(tx, user.id) }),
  };
}
