// The Chromium that is installed on the machine, one for all tests of a process, and a small server for the pages that it
// opens.

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { withoutProgram } from '../server/tools.ts';

/** How long a test waits for what it expects of a page: long enough for any machine, so that only a fault fails. */
const patienceMs = 60_000;

let launched: Promise<Browser> | undefined;

after(async () => (await launched)?.close());

/** The reason to skip a test that needs a browser; false when there is one. */
export function withoutBrowser(): string | false {
  return withoutProgram('chromium');
}

/** Opens a browser that knows nothing of other tests: without cookies, storage, cache or service workers. */
export async function openBrowser(t: TestContext, options?: BrowserContextOptions): Promise<BrowserContext> {
  launched ??= launch();
  const context = await (await launched).newContext(options);
  t.after(() => context.close());
  context.setDefaultTimeout(patienceMs);
  return context;
}

function launch(): Promise<Browser> {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  // The sandbox of the browser does not work for root; it opens only pages of the tests.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: patienceMs });
}

/** Serves the files by their paths; returns the origin of the server. */
export async function servePages(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname;
    const text = files[path];
    const type = path.endsWith('.js') ? 'application/javascript' : 'text/html; charset=utf-8';
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
