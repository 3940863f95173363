// The phone speaks the language of the person it calls.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the phone speaks French, German, and English to a person of an unknown language', async (t, kind) => {
  const story = await startStory(t, kind);
  const people = new Map([
    ['ana', ['fr', /^Bonjour ana, ici Tocsin/, 'Vous l’avez prise. Merci.']],
    ['bo', ['de', /^Guten Tag bo, hier ist Tocsin/, 'Sie haben ihn übernommen. Danke.']],
    ['cy', ['pt', /^Hello cy, this is Tocsin/, 'You have taken it. Thank you.']],
  ] as const);
  for (const [name, [language, greeting, thanks]] of people) {
    const person = await story.person(name, { language });
    const group = await story.group(`Of ${name}`, [await story.team(name, [person])]);
    await story.raise(group, { path: name });
    await person.isCalled();
    const said = await person.takes();
    assert.match(said[0] ?? '', greeting);
    assert.equal(said.at(-1), thanks);
  }
});
