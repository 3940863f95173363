// A mail server that confirms mails after minutes: the mails that wait for it keep nobody from being called by telephone.

import type { OpenProvider } from '../../../../src/channels/channel.ts';
import type { Delivery } from '../../../../src/domain/calls/delivery.ts';
import { startTestApp } from '../../../harness/site/app.ts';
import { siteOn } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const mails = 1_600;
const mailsOfPerson = 80;

testOnAnyStore('telephones ring while more than a thousand mails wait to be confirmed', async (t, kind) => {
  let handedOver = 0;
  const end = Promise.withResolvers<Delivery>();
  const slow: OpenProvider = {
    async deliver(message, report) {
      report({ kind: 'accepted', ref: String(message.attemptId) });
      handedOver += 1;
      return end.promise;
    },
    check: async () => {},
    survivesShutdown: () => false,
    close: async () => {},
  };
  const site = await siteOn(t, await startTestApp(t, kind, { openers: { smtp: () => slow } }));
  const settings = { host: 'mail.example', from: 'tocsin@plant.example' };
  await site.create('/providers', { name: 'Mail', channel: 'email', kind: 'smtp', settings });
  const people = [];
  for (let one = 0; one * mailsOfPerson < mails; one += 1) {
    const numbers = Array.from({ length: mailsOfPerson }, (_, n) => ({
      channel: 'email',
      address: `p${one}.${n}@plant.example`,
      final: false,
    }));
    people.push(await site.person(`p${one}`, { numbers: [{ channel: 'simulator', address: '7' }, ...numbers] }));
  }
  const all = await site.group('All', [await site.team('All', people)]);
  for (const name of ['a', 'b']) await site.alarms.raise(all, { priority: 3, path: name });
  await until(
    () => handedOver,
    (count) => count >= 1_480,
  );
  const ana = await site.person('ana', { numbers: [{ channel: 'simulator', address: '7' }] });
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(pumps, { priority: 2, path: 'Pumps' });
  await until(
    () => site.list(`/call/histories?alarmId=${alarm}`),
    ({ items }) => items.some(({ user, ringTime }) => user === 'ana' && ringTime !== undefined),
  );
  end.resolve({ kind: 'delivered', detail: '' });
});
