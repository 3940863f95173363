// A provider that does not come to an end when it is switched off: the others are opened and checked all the same.

import assert from 'node:assert/strict';
import type { OpenProvider } from '../../../../src/channels/channel.ts';
import { PostOffice, trunk } from '../../../harness/mail/post-office.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

/** As a thread of telephone calls that stands still. */
class Endless extends PostOffice {
  static readonly letGo = Promise.withResolvers<void>();

  override async close(): Promise<void> {
    await Endless.letGo.promise;
  }
}

testOnAnyStore('a trunk that does not close holds up no other provider', async (t, kind) => {
  const opened: OpenProvider[] = [];
  const open = (): OpenProvider => {
    opened.push(opened.length === 0 ? new Endless() : new PostOffice());
    return opened.at(-1) as OpenProvider;
  };
  t.after(() => t.after(() => Endless.letGo.resolve()));
  const site = await startSite(t, kind, { openers: { sip: open } });
  const first = await site.create('/providers', trunk);
  await site.ask('POST', `/providers/${first}/test`);
  await site.ask('DELETE', `/providers/${first}`);
  const second = await site.create('/providers', { ...trunk, name: 'Other' });
  const tested = await site.ask<{ ok: boolean }>('POST', `/providers/${second}/test`);
  assert.equal(tested.ok, true);
  assert.equal(opened.length, 2);
});
