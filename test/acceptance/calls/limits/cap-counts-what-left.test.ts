// The cap counts the calls that rang, not those that no provider could carry.

import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const trunk = (fault: string) => ({ name: 'PBX', channel: 'voice', kind: 'simulator', settings: { fault } });

testOnAnyStore('calls that no provider carried hold nobody back when one works again', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '2/60' } });
  const provider = await site.create('/providers', trunk('dead'));
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 60 })] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 2 });
  await site.advance('5m');
  await site.ask('PUT', `/providers/${provider}`, trunk('none'));
  await site.ask('POST', `/providers/${provider}/test`);
  await ana.isCalled(/Pump1/);
  await site.advance('90s');
  await ana.isCalled(/Pump1/);
  await site.expectWhatRings();
});
