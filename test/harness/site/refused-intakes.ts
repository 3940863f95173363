// Refuses requests to intakes as the server does, through the recorder of refusals on the store of a site.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Principals } from '../../../src/access/principals.ts';
import { hashToken } from '../../../src/access/token.ts';
import { IntakeRefusals } from '../../../src/dispatch/intake-refusals.ts';
import type { Site } from './site.ts';

type RefusedRequest = {
  readonly token: string;
  readonly body: unknown;
  readonly route?: string;
  readonly code?: string;
  readonly isPartial?: true;
  readonly address?: string;
};

const fail = (error: unknown): never => assert.fail(String(error));
const failing = { onTrouble: fail, onNotKept: (_about: unknown, error: unknown) => fail(error) };

/** The recorder of a server, whose trouble fails the test. It is stopped with the test. */
export function recorderOn(t: TestContext, { app: { store, clock } }: Site): IntakeRefusals {
  const recorder = new IntakeRefusals(store, clock, failing);
  t.after(() => recorder.stop());
  return recorder;
}

/** Notes a refused request; a body that is no text is sent as JSON. */
export async function noteRefused(site: Site, recorder: IntakeRefusals, refused: RefusedRequest): Promise<void> {
  const { token, body, route = 'POST /api/v1/alarms', code = 'unavailable', isPartial } = refused;
  const address = 'address' in refused ? refused.address : '192.0.2.7';
  const principal = await new Principals(site.app.store, site.app.clock).holderOf(token);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  recorder.note({
    by: principal ?? { tokenHash: hashToken(token) },
    route,
    address: address as string,
    code,
    reason: 'The store is away.',
    contentType: 'application/json',
    bytes,
    ...(isPartial === undefined ? {} : { isPartial }),
  });
}

/** Notes a refused request and waits until it is stored. */
export async function refuse(site: Site, refused: RefusedRequest): Promise<void> {
  const { store, clock } = site.app;
  const recorder = new IntakeRefusals(store, clock, failing);
  await noteRefused(site, recorder, refused);
  await recorder.stop();
}
