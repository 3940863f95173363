// Calls placed to SIPp: answered and hung up by either side, refused, challenged, cancelled, changed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InviteOptions, UserAgent } from '../../src/index.ts';
import { CallLog } from '../harness/call-log.ts';
import { answer, offer } from '../harness/descriptions.ts';
import { receive, respond, respondInDialog, type SippOptions, sippMissing, startSipp } from '../harness/sipp.ts';

type Played = { readonly log: CallLog; readonly exchanged: string };

/** Calls SIPp, which plays the steps; `act` drives the call. Fails when SIPp did not see what it expected. */
async function play(
  steps: readonly string[],
  act: (call: ReturnType<UserAgent['invite']>, log: CallLog) => Promise<unknown>,
  options: Partial<InviteOptions> & SippOptions = {},
): Promise<Played> {
  const { protocol = 'udp', address = '127.0.0.1', ...inviting } = options;
  const sipp = await startSipp(steps, { protocol, address });
  const agent = await UserAgent.start({ listen: [{ protocol, address, port: 0 }], name: 'interop' });
  try {
    const trunk = { host: address, port: sipp.port, protocol };
    const call = agent.invite({ to: '1000', from: '2000', trunk, offer, ...inviting });
    const log = new CallLog(call);
    await act(call, log).catch((error) => {
      throw new Error(sipp.log(), { cause: error });
    });
    const { code, log: exchanged } = await sipp.ended;
    assert.equal(code, 0, exchanged);
    return { log, exchanged };
  } finally {
    await agent.close();
    await sipp.stop();
  }
}

const ringing = respond(180, 'Ringing');
const answered = respond(200, 'OK', { sdp: answer.trimEnd().replaceAll('\r\n', '\n') });

describe('a call to SIPp', { skip: sippMissing }, () => {
  it('rings, is answered with a description, and is hung up from here', async () => {
    const { log } = await play(
      [receive('INVITE'), ringing, answered, receive('ACK'), receive('BYE'), respondInDialog(200, 'OK')],
      async (call, events) => {
        const { description } = await events.first('answered');
        assert.match(description ?? '', /m=audio 41000 RTP\/AVP 8/);
        await call.hangUp();
      },
    );
    assert.deepEqual(log.names(), ['ringing', 'answered', 'ended']);
    assert.deepEqual(log.events[2]?.[1], { by: 'local', wasAnswered: true, reason: 'hung up' });
  });
  const challenge =
    'WWW-Authenticate: Digest realm="plant", nonce="47ebe028cda119c35d4877b383027d28da013815", qop="auth", algorithm=MD5, opaque="5ccc"';
  const verify = '<verifyauth assign_to="isRight" username="ana" password="s3cret"/>';
  it('answers a digest challenge', async () => {
    await play(
      [
        receive('INVITE'),
        respond(401, 'Unauthorized', { headers: [challenge] }),
        receive('ACK'),
        receive('INVITE', verify),
        '<nop next="right" test="isRight"></nop>',
        '<nop><action><error message="wrong credentials"/></action></nop>',
        '<label id="right"/>',
        ringing,
        answered,
        receive('ACK'),
        receive('BYE'),
        respondInDialog(200, 'OK'),
      ],
      async (call, events) => {
        await events.first('answered');
        await call.hangUp();
      },
      { credentials: { username: 'ana', password: 's3cret' } },
    );
  });
});
