// Tests the encoding of objects as tuples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, tupleCodec } from './tuple-codec.ts';

test('an object is packed in the order of its fields, and unpacked into another object', () => {
  const codec = tupleCodec({ name: field<string>(), age: field<number | undefined>() });
  const packed = codec.pack({ age: 3, name: 'ana' });
  assert.deepEqual(packed, ['ana', 3]);
  assert.deepEqual(codec.unpackInto({ kind: 'person' }, packed), { kind: 'person', name: 'ana', age: 3 });
  assert.deepEqual(codec.pack({ name: 'bo' }), ['bo', undefined]);
});
