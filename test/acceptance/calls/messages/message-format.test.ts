// The text of a call is made from the format of the alarm.

import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('known placeholders of the format are replaced, unknown ones are kept', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, {
    value: '91',
    names: { en: 'Pump one' },
    location: { zone: 'Hall 2' },
    alarmShortMessage: 'hot',
    alarmFormat: '{time} {station}/{zone} {path} P{priority} {message} ({shortMessage}) {value} {else}',
  });
  await ana.isCalled(/^2026-11-15 13:00 .+\/Hall 2 Plant\/Pump1 P1 Pump1 is too hot \(hot\) 91 \{else\}$/);
  await ana.takes();
  await site.alarms.raise(group, { path: 'Plant/Pump2', alarmMessage: '', alarmFormat: '{name}: {message}' });
  await ana.isCalled(/^(.+): \1$/);
  await ana.takes();
});
