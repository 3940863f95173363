// Every place at which a fault would reach the event loop has a name in one list, so that nobody adds one without a thought of where
// its fault ends; test/acceptance/system/failpoints.test.ts lets them throw.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownPlaces } from './harness/failpoints/own-places.ts';
import { allPlaces, placesIn, withFailpoints } from './harness/failpoints/places.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const list = 'test/harness/failpoints/places.txt';
const listed = readFileSync(`${root}${list}`, 'utf8').trim().split('\n');

test('every listener, timer, callback and step of a delivery is in the list of failpoints', () => {
  const found = allPlaces(root);
  const known = new Set(listed);
  const fresh = found.filter((name) => !known.has(name));
  assert.deepEqual(fresh, [], `new: its fault must end alone; write the name into ${list}, run the acceptance test`);
  const present = new Set(found);
  const gone = listed.filter((name) => !present.has(name));
  assert.deepEqual(gone, [], `gone: take the name out of ${list}`);
  for (const { places } of ownPlaces)
    assert.ok(
      found.some((name) => places.test(name)),
      `${places} is of no place`,
    );
});

test('a listener that nobody has named is found by its file, function and event', () => {
  const planted = `class Door { open(socket: Socket): void { socket.on('data', (bytes: Buffer) => this.take(bytes)); } }`;
  assert.deepEqual(placesIn('src/hub/door.ts', planted), ["src/hub/door.ts Door open on('data')"]);
  assert.match(
    withFailpoints('src/hub/door.ts', planted),
    /\(bytes\) => \(failpoints\.pass\(.*\), this\.take\(bytes\)\)/,
  );
});

test('a callback that only passes a handler to its guard fails inside of the guard', () => {
  const guarded = `socket.on('data', (bytes) => guard(() => take(bytes)));`;
  assert.match(
    withFailpoints('src/hub/door.ts', guarded),
    /guard\(\(\) => \(failpoints\.pass\(.*\), take\(bytes\)\)\)/,
  );
});
