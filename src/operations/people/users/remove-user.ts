// Removes a user together with a decision about the API keys that they have made.

import type { Caller } from '../../../domain/access/access.ts';
import type { Operation } from '../../../store/store.ts';
import { revokeApiKey } from '../../access/api-keys.ts';
import { keysMadeBy, takeOverKeys } from '../../access/keys-of-user.ts';
import type { IfMatch } from '../../entity-tag.ts';
import { removePeopleEntry } from '../change-resource.ts';

type RemovedUser = {
  readonly caller: Caller;
  readonly id: number;
  readonly ifMatch?: IfMatch;
  /** Undefined: the removal is refused while there are any. */
  readonly keys: 'revoke' | 'keep' | undefined;
};

export const removeUser: Operation<RemovedUser, void> = {
  name: 'remove-user',
  async run(tx, now, { keys, ...user }) {
    const { caller, id } = user;
    if (keys === 'keep') await takeOverKeys(tx, now, caller, id);
    if (keys === 'revoke')
      for (const key of await keysMadeBy(tx, id, now)) await revokeApiKey.run(tx, now, { caller, id: key.id });
    await removePeopleEntry.run(tx, now, { kind: 'user', ...user });
  },
};
