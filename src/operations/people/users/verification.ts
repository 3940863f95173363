// Verifies numbers that people entered themselves: stores the code that is sent there, and compares the one given back.

import { createHash } from 'node:crypto';
import type { Caller } from '../../../domain/access/access.ts';
import { languageOf } from '../../../domain/calls/words/wording.ts';
import { addressProblem } from '../../../domain/people/address-check.ts';
import type { ContactNumber } from '../../../domain/people/person.ts';
import { isTelephone } from '../../../domain/people/telephone-number.ts';
import {
  type CodeFault,
  codeFaultOf,
  codeLifeMs,
  countSend,
  nextSendAt,
  type SentCode,
  sendWindowMs,
} from '../../../domain/people/verification.ts';
import { AppError } from '../../../errors.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { rewriteEntry } from '../change-resource.ts';
import { findPeopleEntry, loadPeopleEntry } from '../queries.ts';
import { unprocessable } from '../refusals.ts';

declare module '../../../store/tables.ts' {
  interface Tables {
    /** The code that was sent to each number last; times in milliseconds. */
    number_verifications: {
      number_id: number;
      user_id: number;
      channel: string;
      address: string;
      code_hash: string;
      sent_at: Instant;
      wrong_codes: number;
      sends: number;
      sends_since: Instant;
    };
  }
}

type OfNumber = {
  readonly caller: Caller;
  readonly userId: number;
  readonly numberId: number;
  readonly code: string;
};

type Addressee = { readonly channel: string; readonly address: string; readonly language: string };

/** Stores the code; returns where it is to be sent. */
export const startVerification: Operation<OfNumber, Addressee> = {
  name: 'start-verification',
  async run(tx, now, { caller, userId, numberId, code }) {
    const { user, number } = await numberOf(tx, caller, userId, numberId);
    if (number.verified) throw new AppError('already-done', 'This number is verified already.');
    const { policy } = await readCallConfiguration(tx);
    refuseUncallable(number, policy.tolls.allowedPrefixes);
    const rows = await tx.all(selectOfUser, { userId });
    const sent = rows.map(sentCodeOf);
    const nextAt = nextSendAt(sent, now);
    if (nextAt !== undefined)
      throw new AppError('too-many-requests', 'Too many codes were sent to you: wait, then ask again.', {
        retryAfterSeconds: Math.ceil((nextAt - now) / 1_000),
      });
    const before = sent[rows.findIndex((row) => row.number_id === numberId)];
    const { channel, address } = number;
    const codeHash = hashOf(numberId, code);
    await tx.run(removeCode, { numberId });
    await tx.run(insertCode, { numberId, userId, channel, address, codeHash, ...countSend(before, now), now });
    return { channel, address, language: languageOf(user, policy.wording) };
  },
};

/** Verifies the number if the code is right; otherwise returns why it is not accepted. */
export const giveBackCode: Operation<OfNumber, CodeFault | undefined> = {
  name: 'give-back-code',
  async run(tx, now, { caller, userId, numberId, code }) {
    const { user, number } = await numberOf(tx, caller, userId, numberId);
    if (number.verified) return undefined;
    const row = (await tx.all(selectOfUser, { userId })).find((one) => one.number_id === numberId);
    const fault = codeFaultOf(row && sentCodeOf(row), number, hashOf(numberId, code), now);
    if (fault === 'wrong') await tx.run(countWrongCode, { numberId });
    if (fault !== undefined) return fault;
    await tx.run(removeCode, { numberId });
    const numbers = user.numbers.map((one) => (one.id === numberId ? { ...one, verified: true } : one));
    const fields = { ...user, numbers, role: undefined, passwordHash: undefined, pinHash: undefined };
    await rewriteEntry(tx, now, 'user', userId, { caller, fields, stationId: undefined, before: user });
    return undefined;
  },
};

/** A code is sent to a number that nobody vouches for, and that may be older than the rules for numbers. */
function refuseUncallable(number: ContactNumber, allowedPrefixes: readonly string[]): void {
  if (!isTelephone(number.channel)) return;
  const problem = addressProblem(number, { allowedPrefixes, webhooks: [] });
  if (problem !== undefined) throw unprocessable('address', problem);
}

async function numberOf(tx: ReadTx, caller: Caller, userId: number, numberId: number) {
  const isSeen = (await findPeopleEntry(tx, 'user', userId, caller)) !== undefined;
  const user = isSeen ? await loadPeopleEntry(tx, 'user', userId) : undefined;
  const number: ContactNumber | undefined = user?.numbers.find(({ id }) => id === numberId);
  if (user === undefined || number === undefined)
    throw new AppError('not-found', `User ${userId} has no number ${numberId}.`);
  return { user, number };
}

function hashOf(numberId: number, code: string): string {
  return createHash('sha256').update(`${numberId}:${code}`).digest('hex');
}

type CodeRow = {
  channel: string;
  address: string;
  code_hash: string;
  sent_at: number;
  wrong_codes: number;
  sends: number;
  sends_since: number;
};

function sentCodeOf(row: CodeRow): SentCode {
  return {
    channel: row.channel,
    address: row.address,
    codeHash: row.code_hash,
    sentAt: row.sent_at,
    wrongCodes: row.wrong_codes,
    sends: row.sends,
    sendsSince: row.sends_since,
  };
}

/** Removes codes that nobody can give back any more and that no longer count for how many are sent; returns how many. */
export function forgetCodes(tx: Tx, now: Instant): Promise<number> {
  return tx.run(removeOldCodes, { sentBefore: now - codeLifeMs, countedBefore: now - sendWindowMs });
}

const removeOldCodes = statement((db, args: { sentBefore: Instant; countedBefore: Instant }) =>
  db
    .deleteFrom('number_verifications')
    .where('sent_at', '<', args.sentBefore)
    .where('sends_since', '<', args.countedBefore),
);

const selectOfUser = statement((db, args: { userId: number }) =>
  db
    .selectFrom('number_verifications')
    .select(['number_id', 'channel', 'address', 'code_hash', 'sent_at', 'wrong_codes', 'sends', 'sends_since'])
    .where('user_id', '=', args.userId),
);

type NewCode = {
  numberId: number;
  userId: number;
  channel: string;
  address: string;
  codeHash: string;
  sends: number;
  sendsSince: number;
  now: number;
};

const insertCode = statement<NewCode>((db, args) =>
  db.insertInto('number_verifications').values({
    number_id: args.numberId,
    user_id: args.userId,
    channel: args.channel,
    address: args.address,
    code_hash: args.codeHash,
    sent_at: args.now,
    wrong_codes: 0,
    sends: args.sends,
    sends_since: args.sendsSince,
  }),
);

const countWrongCode = statement<{ numberId: number }>((db, args) =>
  db
    .updateTable('number_verifications')
    .set(({ eb }) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('number_id', '=', args.numberId),
);

const removeCode = statement<{ numberId: number }>((db, args) =>
  db.deleteFrom('number_verifications').where('number_id', '=', args.numberId),
);
