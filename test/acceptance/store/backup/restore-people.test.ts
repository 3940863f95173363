// A restore says who comes back, and people who were removed since come back disabled unless somebody wants them as they were.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { restore } from '../../../../src/cli/backup/restore.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { startOn } from '../../../harness/site/app.ts';
import { startSite } from '../../../harness/site/site.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const password = 'correct horse battery 7';

testOnStores('a restore names the people who come back and go, and revives nobody who was removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const { environment } = site.app;
  const leaver = await site.create('/users', { name: 'leaver', password, role: 'administrator', pin: '482913' });
  await site.create('/users', { name: 'stayer', password, role: 'administrator' });
  const file = join(environment.TOCSIN_DATA_DIR ?? '', 'a.backup');
  await runHere(t, environment, 'backup', file);
  await site.ask('DELETE', `/users/${leaver}`);
  await site.create('/users', { name: 'newcomer' });
  await site.app.stop();
  const isLeaver = async () => {
    const tables = await tablesOf(environment);
    const found = (await tables.all('users')).find(({ name }) => name === 'leaver');
    await tables.close();
    return found && [found.password_hash !== null, found.pin_hash !== null, found.on_duty];
  };

  const printed: string[] = [];
  const log = t.mock.method(console, 'log', (line: string) => printed.push(line));
  await assert.rejects(restore([file], environment), /--replace/);
  log.mock.restore();
  assert.match(printed.join('\n'), /will be gone: "newcomer"/);
  assert.match(printed.join('\n'), /come back without password, PIN and duty: "leaver"\. With --revive/);
  assert.equal(await isLeaver(), undefined, 'nothing was changed');

  // The trail of the restored database knows of no removal; the second round shows that it is remembered.
  for (const round of ['first', 'second']) {
    const { out } = await runHere(t, environment, 'restore', file, '--replace');
    assert.match(out, /come back without password, PIN and duty: "leaver"\./, round);
    assert.deepEqual(await isLeaver(), [false, false, 0], round);
  }
  const app = await startOn(t, environment);
  const signIn = async (name: string) => {
    const body = { grant_type: 'password', username: name, password };
    return (await app.request('POST', '/api/v1/auth/login', { body })).status;
  };
  assert.deepEqual([await signIn('stayer'), await signIn('leaver')], [200, 400]);
  await app.stop();

  const { out } = await runHere(t, environment, 'restore', file, '--replace', '--revive');
  assert.match(out, /come back as they were: "leaver"\./);
  assert.deepEqual(await isLeaver(), [true, true, 1]);
});
