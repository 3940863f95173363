// The call policy gives calls and messages the name, the default language and the texts of the installation.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { refusal } from '../../../harness/site/site-caller.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const policy = {
  priorities: [],
  siteName: 'Eaux du Nord',
  defaultLanguage: 'fr',
  texts: { fr: { opening: 'Site de Lille.', closing: 'Questions : 3220' }, en: { closing: 'Questions: 3220' } },
};

testOnAnyStore(
  'calls and messages say the name and the texts of the site, in the language of each person',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const bo = await site.person('bo', { language: 'en-GB', numbers: [sms('+33600000002')] });
    const carl = await site.person('carl', { numbers: [sms('+33600000003')] });
    assert.equal((await site.ask('GET', `/users/${ana.id}`)).language, '');
    assert.equal((await site.request('PUT', '/callpolicy', policy)).status, 200);
    await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana, bo, carl])]), { priority: 3 });
    await ana.isCalled(/^Pump1 is too hot$/);
    const [greeting] = await ana.answers();
    assert.match(String(greeting), /^Site de Lille\.\nBonjour ana, ici Eaux du Nord avec une alarme/);
    assert.match((await bo.hasText(/./)).text, /^Pump1 is too hot\nQuestions: 3220\nReply \d+ to take it\.$/);
    assert.match((await carl.hasText(/./)).text, /^Site de Lille\.\nPump1 is too hot\nQuestions : 3220\nR.pondez \d+/);
    await ana.hangsUp();
    await site.expectWhatRings();
    const [entry] = (await site.list('/journal?kind=callPolicy.changed')).items;
    assert.equal(JSON.stringify(entry?.after).includes('Eaux du Nord'), true);
  },
);

testOnAnyStore(
  'a person with a language of the site or none is spoken to in it, and may ask for none again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.ask('PUT', '/callpolicy', { priorities: [], defaultLanguage: 'de' });
    const ana = await site.person('ana', { language: 'fr', numbers: [voice('+33100000001')] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const greeted = async (path: string) => {
      const alarm = await site.alarms.raise(group, { path, priority: 3 });
      await ana.isCalled();
      const [said] = await ana.answers();
      await site.alarms.acknowledge(alarm);
      await site.advance('60s');
      return String(said);
    };
    assert.match(await greeted('P1'), /^Bonjour ana/);
    const user = await site.ask('GET', `/users/${ana.id}`);
    await site.ask('PUT', `/users/${ana.id}`, { ...user, language: '' });
    assert.match(await greeted('P2'), /^Guten Tag ana/);
  },
);

testOnAnyStore(
  'languages that are not offered and texts with control characters are refused by field',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const refused = async (more: object) =>
      refusal(await site.request('PUT', '/callpolicy', { priorities: [], ...more }));
    assert.deepEqual(await refused({ defaultLanguage: 'it' }), [422, 'defaultLanguage']);
    assert.deepEqual(await refused({ texts: { xx: { opening: 'x' } } }), [422, 'texts.xx']);
    assert.deepEqual(await refused({ texts: { en: { closing: 'two\nlines' } } }), [400, 'texts.en.closing']);
    assert.deepEqual(await refused({ siteName: 'x'.repeat(61) }), [400, 'siteName']);
  },
);
