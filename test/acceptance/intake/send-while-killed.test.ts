// `tocsin send` and `contrib/tocsin-send` while the server is killed and started again: after --flush each raise and each return
// is there once, in order.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { ownSender, runSender, type Sender, shellSender } from '../../harness/server/senders.ts';
import { type ServerProcess, startServer } from '../../harness/server/server-process.ts';
import { adminPassword, migratedStore } from '../../harness/site/app.ts';
import type { List, Row } from '../../harness/site/site-caller.ts';
import { isSoak } from '../../harness/soak.ts';
import { until } from '../../harness/until.ts';

const sends = isSoak ? 500 : 24;
const kills = isSoak ? 20 : 2;
const paths = ['Plant/Pump 1', 'Plant/Pump 2', 'Plant/"Pump" 3'];
const rounds = Math.ceil(sends / paths.length / 2);
/** How many sends begin while the server is away: the rest is for when it is back. */
const mostWhileAway = 6;

/** A server that is killed and started again at the same address. */
class KilledServer {
  begun = 0;
  waited = 0;
  #begunWhileAway = 0;
  #isAway = false;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ServerProcess;

  constructor(environment: Readonly<Record<string, string>>, running: ServerProcess) {
    this.#environment = environment;
    this.#process = running;
  }

  get url(): string {
    return this.#process.url;
  }

  /** Kills it while reports are sent, each time after the same number of them. */
  async killAgainAndAgain(): Promise<void> {
    for (let kill = 1; kill <= kills; kill++) {
      await until(
        () => this.begun,
        (begun) => begun >= (kill * sends) / (kills + 1),
      );
      this.#begunWhileAway = 0;
      this.#isAway = true;
      await this.#process.end('SIGKILL');
      this.#process = await startServer(this.#environment);
      this.#isAway = false;
    }
  }

  async mayBegin(): Promise<void> {
    await until(
      () => !this.#isAway || this.#begunWhileAway < mostWhileAway,
      (mayBegin) => mayBegin,
    );
    this.begun++;
    if (this.#isAway) this.#begunWhileAway++;
  }

  end(): Promise<unknown> {
    return this.#process.end('SIGKILL');
  }
}

/** Raises and returns the alarm again and again, each after the other has ended. */
async function reportPath(server: KilledServer, send: (...words: string[]) => Promise<number | null>, path: string) {
  for (let round = 1; round <= rounds; round++)
    for (const words of [['--message', `${path} is hot ${round}`], ['--normal']]) {
      await server.mayBegin();
      const code = await send('--path', path, ...words);
      assert.ok(code === 0 || code === 75, `${code}`);
      if (code === 75) server.waited++;
    }
}

for (const sender of [ownSender, shellSender])
  test(`${sender.name}: a server that is killed gets each report once, in order`, { skip: sender.skip }, async (t) => {
    const environment = {
      ...(await migratedStore(t, 'sqlite')),
      TOCSIN_PORT: String(await freePort()),
      TOCSIN_LOG_LEVEL: 'silent',
    };
    const server = new KilledServer(environment, await startServer(environment));
    t.after(() => server.end());
    const token = await signIn(server.url);
    const ask = askerOf(server.url, token);
    // A raise that is carried out twice is a second occurrence.
    for (const path of paths) await ask('/alarms', { path, raised: false, eventCondition: { reactivatable: true } });
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-send-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const spool = join(folder, 'spool');
    const send = sendBy(sender, ['--url', server.url, '--key-file', join(folder, 'key'), '--spool', spool]);
    writeFileSync(join(folder, 'key'), token);

    await Promise.all([server.killAgainAndAgain(), ...paths.map((path) => reportPath(server, send, path))]);

    assert.equal(await send('--flush'), 0);
    assert.deepEqual(readdirSync(spool), [], 'nothing is left, and nothing was refused');
    t.diagnostic(`${server.begun} sent, ${server.waited} of them waited`);
    assert.ok(server.waited > 0, 'a run in which nothing waited proves nothing');
    const { items } = (await ask('/alarms/histories?limit=1000')) as List;
    for (const [index, path] of paths.entries()) await assertEach(ask, index + 1, path, items);
  });

async function assertEach(ask: Ask, id: number, path: string, histories: readonly Row[]): Promise<void> {
  const events = ((await ask(`/alarms/${id}/timeline`)) as readonly { readonly event: string }[]).map(
    ({ event }) => event,
  );
  const expected = Array.from({ length: rounds }, () => ['raised', 'returned']).flat();
  assert.deepEqual(
    events.filter((event) => event !== 'defined'),
    expected,
    path,
  );
  const messages = histories.filter(({ tagId }) => tagId === id).map(({ message }) => message);
  assert.deepEqual(
    messages,
    Array.from({ length: rounds }, (_, round) => `${path} is hot ${round + 1}`),
  );
}

function sendBy(sender: Sender, options: readonly string[]) {
  return async (...words: string[]): Promise<number | null> => (await runSender(sender, [...options, ...words])).code;
}

type Ask = (path: string, body?: object) => Promise<unknown>;

/** Posts a body, or gets what is at the path. */
function askerOf(url: string, token: string): Ask {
  return async (path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    assert.equal(answer.status, 200, path);
    return answer.json();
  };
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password: adminPassword });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
