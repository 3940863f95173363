// The phone speaks the language of the person it calls.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('the phone speaks French, German, and English to a person of an unknown language', async (t, kind) => {
  const site = await startSite(t, kind);
  const people = new Map([
    ['ana', ['fr', /^Bonjour ana, ici Tocsin/, 'Vous l’avez prise. Merci.']],
    ['bo', ['de', /^Guten Tag bo, hier ist Tocsin/, 'Sie haben ihn übernommen. Danke.']],
    ['cy', ['pt', /^Hello cy, this is Tocsin/, 'You have taken it. Thank you.']],
  ] as const);
  for (const [name, [language, greeting, thanks]] of people) {
    const person = await site.person(name, { language });
    const group = await site.group(`Of ${name}`, [await site.team(name, [person])]);
    await site.alarms.raise(group, { path: name });
    await person.isCalled();
    const said = await person.takes();
    assert.match(said[0] ?? '', greeting);
    assert.equal(said.at(-1), thanks);
  }
});
