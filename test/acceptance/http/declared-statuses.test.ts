// The check of every acceptance test that a status is in the OpenAPI document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeclared } from '../../harness/openapi/declared-statuses.ts';

test('a status that the document does not declare for an operation is found', () => {
  assert.equal(isDeclared('DELETE', '/api/v1/teams/5', 422), true);
  assert.equal(isDeclared('DELETE', '/api/v1/teams/5?x=1', 418), false);
  assert.equal(
    isDeclared('GET', '/api/v1/alarms/count', 422),
    isDeclared('GET', '/api/v1/alarms/count?stationId=1', 422),
  );
  assert.equal(isDeclared('POST', '/api/v1/alarms', 503), true);
  assert.equal(isDeclared('GET', '/no/such/path', 404), true);
});
