// Fills an empty store at the first start: the first administrator and what every installation has.

import { randomUUID } from 'node:crypto';
import { hashPassword, type PasswordCost, readablePassword } from '../access/password.ts';
import { isStoreEmpty } from '../operations/access/queries.ts';
import { adminName, firstStart } from '../operations/system/first-start.ts';
import type { PartContext } from './part-context.ts';

/** Returns the administrator's password when it was generated here. */
export async function fillEmptyStore(
  { store, config, log }: PartContext,
  passwordCost: PasswordCost | undefined,
): Promise<string | undefined> {
  const { adminPassword: givenPassword, timeZone, calling } = config;
  const password = givenPassword ?? readablePassword();
  const isFirstStart =
    (await store.read(isStoreEmpty, {})) &&
    (await store.write(firstStart, {
      epoch: randomUUID(),
      adminPasswordHash: await hashPassword(password, passwordCost),
      timeZone,
      hasSimulator: calling.hasSimulator,
    }));
  // An administrator who sets it later expects to sign in with it.
  if (!isFirstStart && givenPassword !== undefined) log.info(unusedPassword);
  return isFirstStart && givenPassword === undefined ? password : undefined;
}

const unusedPassword = `TOCSIN_ADMIN_PASSWORD was not used: it is for the first start, and the store has users already; "npx tocsin user password ${adminName}" sets another password`;
