// Opens authentication: principals by their tokens, the sign-in, and the copy of revoked keys in the data folder.

import type { PasswordCost } from '../access/password.ts';
import { Principals } from '../access/principals.ts';
import { SignIn } from '../access/sign-in.ts';
import { RevokedKeysFile } from '../dispatch/revoked-keys-file.ts';
import type { NodeContext } from './part-context.ts';

export type Access = { readonly principals: Principals; readonly signIn: SignIn };

export function openAccess(context: NodeContext, passwordCost: PasswordCost | undefined): Access {
  const { store, clock, feed, config, log, teardown } = context;
  const principals = new Principals(store, clock);
  feed.subscribe((event) => principals.onEvent(event), 'but-frequent');
  const signIn = new SignIn(store, clock, config.tokenSeconds, passwordCost);
  const onUnwritten = (error: unknown): void => log.warn({ err: error }, unwrittenRevocation);
  const revokedKeys = new RevokedKeysFile(store, config.dataDir, onUnwritten);
  feed.subscribe((event) => revokedKeys.onEvent(event), 'but-frequent');
  teardown.add(() => revokedKeys.stop());
  return { principals, signIn };
}

const unwrittenRevocation =
  'revoked keys could not be copied to the data folder: if the database is lost, a restored backup revives them';
