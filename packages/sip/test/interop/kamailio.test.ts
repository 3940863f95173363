// Kamailio as a PBX: registration, calls through its record-routing proxy, supervision, over UDP, TCP and TLS.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { type IncomingCall, type Registration, type Supervision, type Trunk, UserAgent } from '../../src/index.ts';
import { CallLog } from '../harness/call-log.ts';
import { type Certificate, makeCertificate, opensslMissing } from '../harness/certificate.ts';
import { answer, offer } from '../harness/descriptions.ts';
import { type Kamailio, kamailioMissing, kamailioTlsMissing, startKamailio } from '../harness/kamailio.ts';
import { until } from '../harness/until.ts';

const patienceMs = 60_000;

/** What the first event of that name says. A registration that is refused tries again for ever. */
async function first(source: Registration | Supervision, name: string) {
  const [event] = await once(source, name, { signal: AbortSignal.timeout(patienceMs) });
  return event;
}

const realm = 'plant.test';
const credentials = (username: string, password = 's3cret') => ({ username, password });

type Site = { readonly kamailio: Kamailio; readonly agents: UserAgent[]; readonly trunk: Trunk };

async function withKamailio(
  protocol: 'udp' | 'tcp' | 'tls',
  algorithm: 'MD5' | 'SHA-256',
  story: (site: Site) => Promise<void>,
): Promise<void> {
  const certificate: Certificate | undefined = protocol === 'tls' ? makeCertificate() : undefined;
  const kamailio = await startKamailio({ realm, password: 's3cret', algorithm, ...(certificate && { certificate }) });
  const agents: UserAgent[] = [];
  const port = protocol === 'tls' ? kamailio.tlsPort : kamailio.port;
  const tls = certificate === undefined ? {} : { tls: { ca: certificate.ca } };
  const trunk: Trunk = { host: '127.0.0.1', port, protocol, domain: realm, ...tls };
  try {
    await story({ kamailio, agents, trunk });
  } catch (error) {
    throw new Error(kamailio.output(), { cause: error });
  } finally {
    for (const agent of agents) await agent.close();
    await kamailio.stop();
  }
}

async function agentAt({ agents, trunk }: Site, onInvite?: (call: IncomingCall) => void): Promise<UserAgent> {
  // A listener is no use for TLS here: Kamailio sends calls over the connection of the registration.
  const listen = trunk.protocol === 'udp' ? [{ protocol: 'udp', address: '127.0.0.1', port: 0 } as const] : [];
  const agent = await UserAgent.start({ listen, ...(onInvite && { onInvite }) });
  agents.push(agent);
  return agent;
}

describe('Kamailio', { skip: kamailioMissing }, () => {
  for (const [protocol, algorithm] of [
    ['udp', 'MD5'],
    ['tcp', 'SHA-256'],
    ['tls', 'SHA-256'],
  ] as const) {
    const skip = protocol === 'tls' && (kamailioTlsMissing || opensslMissing);
    it(`takes a registration with ${algorithm} and carries a call over ${protocol}, ended by either side`, {
      skip,
    }, async () => {
      await withKamailio(protocol, algorithm, async (site) => {
        const { trunk } = site;
        const arrived: IncomingCall[] = [];
        const desk = await agentAt(site, (call) => arrived.push(call));
        const registration = desk.register({ trunk, credentials: credentials('desk') });
        const { expiresS } = await first(registration, 'registered');
        assert.equal(expiresS, 600);

        const office = await agentAt(site);
        for (const endedBy of ['caller', 'callee'] as const) {
          const call = office.invite({ to: 'desk', trunk, credentials: credentials('office'), offer });
          const log = new CallLog(call);
          const incoming = await until(
            () => arrived.shift(),
            (found) => found !== undefined,
          );
          assert.ok(incoming !== undefined);
          const deskLog = new CallLog(incoming as never);
          assert.equal(incoming.offer, offer);
          await incoming.ring();
          await log.first('ringing');
          await incoming.answer(answer);
          assert.equal((await log.first('answered')).description, answer);
          await deskLog.first('answered');
          assert.match(JSON.stringify(call.save()), /"routes":\["<sip:127\.0\.0\.1/);
          if (endedBy === 'caller') await call.hangUp();
          else await incoming.hangUp();
          assert.equal((await log.ended()).by, endedBy === 'caller' ? 'local' : 'remote');
          assert.equal((await deskLog.ended()).by, endedBy === 'caller' ? 'remote' : 'local');
        }
      });
    });
  }

  it('refuses a wrong password and an unknown number, and is alive for the supervision', async () => {
    await withKamailio('udp', 'MD5', async (site) => {
      const { trunk } = site;
      const agent = await agentAt(site);
      const registration = agent.register({ trunk, credentials: credentials('desk', 'wrong') });
      const failed = await first(registration, 'failed');
      assert.deepEqual(failed, { status: 401, reason: 'Unauthorized', retryInMs: 15_000 });
      const log = new CallLog(agent.invite({ to: 'nobody', trunk, credentials: credentials('office'), offer }));
      assert.equal((await log.ended()).status, 404);
      const supervision = agent.supervise({ trunk });
      const health = await first(supervision, 'alive');
      assert.equal(health.status, 200);
    });
  });

  it('registers nobody any more after the registration is closed', async () => {
    await withKamailio('udp', 'MD5', async (site) => {
      const { trunk } = site;
      const desk = await agentAt(site, (call) => call.reject(486));
      const registration = desk.register({ trunk, credentials: credentials('desk') });
      await first(registration, 'registered');
      await registration.close();
      const office = await agentAt(site);
      const log = new CallLog(office.invite({ to: 'desk', trunk, credentials: credentials('office'), offer }));
      assert.equal((await log.ended()).status, 404);
    });
  });

  it('is not trusted over TLS without its authority', { skip: kamailioTlsMissing || opensslMissing }, async () => {
    await withKamailio('tls', 'MD5', async (site) => {
      const { tls: _tls, ...trunk } = site.trunk;
      const agent = await agentAt(site);
      const log = new CallLog(agent.invite({ to: 'desk', trunk, credentials: credentials('office'), offer }));
      const ended = await log.ended();
      assert.equal(ended.by, 'transport');
      assert.match(ended.reason, /certificate/);
    });
  });
});
