// When mails are read: as soon as the server has started.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../store/store.ts';
import { StoredWork } from '../stored-work.ts';
import { storedMail } from './stored-mail.ts';

test('a mail that is found while the server starts is read as soon as it has started, and not half a minute later', async () => {
  const store = { read: async () => [] } as unknown as Store;
  const clock = { now: () => 5_000, elapsed: () => 5_000 };
  const work = new StoredWork({ store, clock, inHand: { begin: () => {}, end: () => {} } });
  const port = storedMail(1, { store, clock, work, onTrouble: assert.ifError } as never);
  let read = 0;
  const isRead = port.take('1.7', async () => {
    read += 1;
  });
  work.open();
  assert.equal(await isRead, true);
  assert.equal(read, 1);
});
