// What people change without an administrator: their own numbers, PIN, language and duty, and supervisors the duty of others.

import { type Caller, seesStation } from '../../../domain/access/access.ts';
import type { Stored, User, UserFields } from '../../../domain/people/entities.ts';
import { ownNumbers } from '../../../domain/people/own-numbers.ts';
import { AppError } from '../../../errors.ts';
import type { Operation, ReadTx } from '../../../store/store.ts';
import { type IfMatch, refuseOtherVersion } from '../../entity-tag.ts';
import { rewriteEntry } from '../change-resource.ts';
import { findPeopleEntry, loadPeopleEntry } from '../queries.ts';
import { refuseFields } from '../refusals.ts';
import { missingAmong } from '../resource-hooks.ts';
import { refuseBadAddresses, refuseReplacementCycle } from '../users.ts';

/** What is not given stays as it is. */
export type OwnChange = Partial<Pick<UserFields, 'language' | 'timeZone' | 'onDuty' | 'numbers' | 'pinHash'>>;

type OwnEntry = {
  readonly caller: Caller;
  readonly userId: number;
  readonly change: OwnChange;
  readonly ifMatch?: IfMatch;
};

/** Changes the entry of the caller; returns it as stored. */
export const changeOwnEntry: Operation<OwnEntry, Stored<User>> = {
  name: 'change-own-entry',
  async run(tx, now, { caller, userId, change, ifMatch }) {
    const before = await changeable(tx, caller, userId, ifMatch);
    const numbers = change.numbers && ownNumbers(change.numbers, before.numbers);
    const scheduleIds = before.numbers.map(({ scheduleId }) => scheduleId);
    const schedules = (numbers ?? []).map(({ scheduleId: id }, index) => ({
      field: `numbers[${index}].scheduleId`,
      id,
    }));
    refuseFields(await missingAmong(tx, caller, 'schedule', schedules, scheduleIds));
    await refuseBadAddresses(tx, numbers ?? [], before.numbers);
    const fields = { ...unchanged(before), ...change, ...(numbers === undefined ? {} : { numbers }) };
    await rewriteEntry(tx, now, 'user', userId, { caller, fields, stationId: undefined, before });
    return seen(tx, caller, userId);
  },
};

type DutyChange = {
  readonly caller: Caller;
  readonly id: number;
  /** Undefined leaves it as it is; a replacement of 0 ends it. */
  readonly onDuty: boolean | undefined;
  readonly replacedById: number | undefined;
  readonly ifMatch?: IfMatch;
};

/** Sets a person on or off duty, or has them replaced, in all groups; returns their entry. */
export const setDuty: Operation<DutyChange, Stored<User>> = {
  name: 'set-duty',
  async run(tx, now, { caller, id, onDuty, replacedById, ifMatch }) {
    const before = await changeable(tx, caller, id, ifMatch);
    refuseForeign(caller, before);
    const replacement = replacedById === undefined ? before.replacedById : replacedById || undefined;
    const named = [{ field: 'replacedById', id: replacement }];
    refuseFields(await missingAmong(tx, caller, 'user', named, [before.replacedById]));
    await refuseReplacementCycle(tx, id, replacement);
    const fields = { ...unchanged(before), onDuty: onDuty ?? before.onDuty, replacedById: replacement };
    await rewriteEntry(tx, now, 'user', id, { caller, fields, stationId: undefined, before });
    return seen(tx, caller, id);
  },
};

/** Returns the whole entry; throws if the caller does not see it, or has seen another version. */
async function changeable(tx: ReadTx, caller: Caller, id: number, ifMatch: IfMatch): Promise<Stored<User>> {
  refuseOtherVersion(await seen(tx, caller, id), ifMatch);
  return (await loadPeopleEntry(tx, 'user', id)) ?? unknown(id);
}

async function seen(tx: ReadTx, caller: Caller, id: number): Promise<Stored<User>> {
  return (await findPeopleEntry(tx, 'user', id, caller)) ?? unknown(id);
}

function unknown(id: number): never {
  throw new AppError('not-found', `There is no user ${id}.`);
}

function unchanged(user: Stored<User>): UserFields {
  return { ...user, role: undefined, passwordHash: undefined, pinHash: undefined };
}

/** A caller bound to stations changes the duty of those who work for no other. */
function refuseForeign(caller: Caller, { stationIds }: User): void {
  if (caller.stationIds.length === 0) return;
  if (stationIds.length > 0 && stationIds.every((id) => seesStation(caller, id))) return;
  throw new AppError('unprocessable', 'This user works for other stations as well: ask an administrator.');
}
