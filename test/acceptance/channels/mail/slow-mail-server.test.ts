// A mail server that takes long to confirm a mail: it is given the time, the mail goes out once, and the next number is called.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashDuringDelivery } from '../../../harness/channels/crash.ts';
import { mailProvider, mailTo, startMailCatcher } from '../../../harness/mail/mail-catcher.ts';
import { trunk } from '../../../harness/mail/post-office.ts';
import { fakeClock } from '../../../harness/site/clock.ts';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { noAnswer, ToldExchange } from '../../../harness/telephone/told-exchange.ts';
import { until } from '../../../harness/until.ts';

testOnAnyStore(
  'a mail that is confirmed late goes out once, and the next number is called after 15 s',
  async (t, kind) => {
    const catcher = await startMailCatcher(t, { behaviour: 'hold' });
    const clock = fakeClock();
    const exchange = new ToldExchange(() => clock.now());
    exchange.tell = () => noAnswer;
    const site = await startSite(t, kind, { clock, openers: { sip: () => exchange } });
    await mailProvider(site, catcher);
    await site.create('/providers', trunk);
    const mail = { channel: 'email', address: 'ana@plant.example', timeToAck: 600 };
    const ana = await site.person('ana', { numbers: [mail, voice(numberOf('ana'), { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { priority: 3 });
    await mailTo(catcher);
    const handedOverAt = clock.now();
    await until(
      async () => {
        clock.advance(1000);
        await site.app.poll();
        return exchange.asked.length;
      },
      (count) => count === 1,
    );
    const [asked] = exchange.asked;
    assert(asked && asked.at >= handedOverAt + 15_000, 'the next number is called once the mail has had its time');
    assert.equal(catcher.isCut(), false, 'the server is given the time');
    catcher.letGo();
    const { items } = await until(
      () => site.list(`/call/histories?userId=${ana.id}&order=asc`),
      (page) => page.items.every(({ endTime }) => endTime !== undefined),
    );
    assert.deepEqual(
      items.map(({ channel, status }) => [channel, status]),
      [
        ['email', 3],
        ['voice', 4],
      ],
    );
    for (let minutes = 0; minutes < 5; minutes += 1) {
      clock.advance(60_000);
      await site.app.poll();
    }
    assert.equal(catcher.mails.length, 1, 'the mail went out once');
    const { items: providers } = await site.list('/providers?limit=10');
    const health = providers.find(({ name }) => name === 'Mail')?.health as { readonly state: string } | undefined;
    assert(health !== undefined && health.state !== 'down', 'slow is not down');
  },
);

test('a mail that was handed over when the server was killed is sent again under the same Message-ID', async (t) => {
  const catcher = await startMailCatcher(t, { behaviour: 'hold' });
  const peers = {
    providers: [{ channel: 'email', kind: 'smtp', settings: catcher.settings }],
    address: (person: number) => `p${person}@plant.example`,
    deliveries: () => catcher.mails.length,
    confirm: () => catcher.letGo(),
  };
  assert.deepEqual(await crashDuringDelivery(t, 'email', peers, 2), { attempts: 1, deliveries: 2 });
  const ids = catcher.mails.map(({ mail }) => mail.messageId);
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});
