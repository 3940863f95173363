// Calls placed to SIPp: answered and hung up by either side, refused, challenged, cancelled, changed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InviteOptions, UserAgent } from '../../src/index.ts';
import { CallLog } from '../harness/call-log.ts';
import { answer, offer } from '../harness/descriptions.ts';
import {
  keepDialog,
  receive,
  receiveResponse,
  request,
  respond,
  respondInDialog,
  respondToInvite,
  type SippOptions,
  sippMissing,
  startSipp,
} from '../harness/sipp.ts';

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
const answerLines = answer.trimEnd().replaceAll('\r\n', '\n');
const answered = respond(200, 'OK', { sdp: answerLines });
const early = respond(183, 'Session Progress', { sdp: answerLines });
const terminated = respondToInvite(487, 'Request Terminated');
const lateAnswer = respondToInvite(200, 'OK', answerLines);

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
    assert.deepEqual(log.events[2]?.[1], {
      by: 'local',
      cause: 'hung-up',
      wasAnswered: true,
      progress: 'ringing',
      reason: 'hung up',
    });
  });
  it('is hung up by the callee, whose reason is told', async () => {
    const reason = 'Reason: Q.850;cause=16;text="Normal call clearing"';
    const { log } = await play(
      [
        receive('INVITE', keepDialog),
        answered,
        receive('ACK'),
        request('BYE', 1, { headers: [reason] }),
        receiveResponse(200),
      ],
      (_call, events) => events.ended(),
    );
    assert.deepEqual(log.events[1]?.[1], {
      by: 'remote',
      wasAnswered: true,
      cause: 'hung-up',
      reason: 'Normal call clearing',
      q850: 16,
    });
  });

  it('has early media', async () => {
    const { log } = await play(
      [receive('INVITE'), early, answered, receive('ACK'), receive('BYE'), respondInDialog(200, 'OK')],
      async (call, events) => {
        await events.first('answered');
        await call.hangUp();
      },
    );
    assert.deepEqual(log.events[0]?.[0], 'ringing');
    assert.match(JSON.stringify(log.events[0]?.[1]), /^\{"status":183,"description":"v=0/);
  });

  for (const [status, phrase, header, more] of [
    [486, 'Busy Here', 'Reason: Q.850;cause=17', { cause: 'busy', q850: 17 }],
    [404, 'Not Found', 'X-Nothing: 1', {}],
    [503, 'Service Unavailable', 'Retry-After: 120 (maintenance)', { retryAfterS: 120 }],
    [603, 'Decline', 'X-Nothing: 1', {}],
  ] as const) {
    it(`is refused with ${status}`, async () => {
      const { log } = await play(
        [receive('INVITE'), ringing, respond(status, phrase, { headers: [header] }), receive('ACK')],
        (_call, events) => events.ended(),
      );
      assert.deepEqual(log.names(), ['ringing', 'ended']);
      assert.deepEqual(log.events[1]?.[1], {
        by: 'remote',
        wasAnswered: false,
        progress: 'ringing',
        status,
        cause: 'rejected',
        reason: phrase,
        ...more,
      });
    });
  }

  it('is cancelled by a signal, with its reason', async () => {
    const abort = new AbortController();
    const { log, exchanged } = await play(
      [receive('INVITE', keepDialog), ringing, receive('CANCEL'), respond(200, 'OK'), terminated, receive('ACK')],
      async (_call, events) => {
        await events.first('ringing');
        abort.abort({ sip: 200, text: 'Call completed elsewhere' });
        await events.ended();
      },
      { signal: abort.signal },
    );
    const reason = 'Call completed elsewhere';
    assert.deepEqual(log.events[1]?.[1], {
      by: 'local',
      cause: 'cancelled',
      wasAnswered: false,
      progress: 'ringing',
      status: 487,
      reason,
    });
    assert.match(exchanged, /\r?\nReason: SIP;cause=200;text="Call completed elsewhere"\r?\n/);
  });

  it('is cancelled when it has rung for too long', async () => {
    const { log } = await play(
      [receive('INVITE', keepDialog), ringing, receive('CANCEL'), respond(200, 'OK'), terminated, receive('ACK')],
      (_call, events) => events.ended(),
      { ringTimeoutMs: 300 },
    );
    const reason = 'not answered in time';
    assert.deepEqual(log.events[1]?.[1], {
      by: 'timeout',
      cause: 'unanswered',
      wasAnswered: false,
      progress: 'ringing',
      status: 487,
      reason,
    });
  });

  it('is hung up when the callee answers at the moment of the CANCEL', async () => {
    const { log } = await play(
      [
        receive('INVITE', keepDialog),
        ringing,
        receive('CANCEL'),
        respond(200, 'OK'),
        lateAnswer,
        receive('ACK'),
        receive('BYE'),
        respondInDialog(200, 'OK'),
      ],
      async (call, events) => {
        await events.first('ringing');
        await call.hangUp();
        await events.ended();
      },
    );
    assert.deepEqual(log.names(), ['ringing', 'ended']);
    assert.deepEqual(log.events[1]?.[1], {
      by: 'local',
      cause: 'cancelled',
      wasAnswered: false,
      progress: 'ringing',
      reason: 'cancelled',
    });
  });

  it('is put on hold by a re-INVITE, which the handler answers, and takes digits by INFO', async () => {
    const held = offer.replace('40000', '40002');
    const offers: (string | undefined)[] = [];
    const { log, exchanged } = await play(
      [
        receive('INVITE', keepDialog),
        answered,
        receive('ACK'),
        request('INVITE', 1, { body: ['application/sdp', `${answerLines}\na=sendonly`] }),
        receiveResponse(100, 'optional="true"'),
        receiveResponse(200),
        request('ACK', 1),
        request('INFO', 2, { body: ['application/dtmf-relay', 'Signal=5\nDuration=160'] }),
        receiveResponse(200),
        request('INFO', 3, { body: ['application/dtmf', '#'] }),
        receiveResponse(200),
        request('OPTIONS', 4),
        receiveResponse(200),
        request('REFER', 5),
        receiveResponse(405),
        request('BYE', 6),
        receiveResponse(200),
      ],
      (_call, events) => events.ended(),
      {
        onOffer: (each) => {
          offers.push(each);
          return held;
        },
      },
    );
    assert.deepEqual(log.names(), ['answered', 'digit', 'digit', 'ended']);
    assert.deepEqual(log.events[1]?.[1], { digit: '5', durationMs: 160 });
    assert.deepEqual(log.events[2]?.[1], { digit: '#' });
    assert.equal(offers.length, 1);
    assert.match(offers[0] ?? '', /a=sendonly/);
    assert.match(exchanged, /m=audio 40002 /);
  });

  for (const [name, options] of [
    ['TCP', { protocol: 'tcp' }],
    ['IPv6', { address: '::1' }],
  ] as const) {
    it(`goes over ${name}`, async () => {
      await play(
        [receive('INVITE'), ringing, answered, receive('ACK'), receive('BYE'), respondInDialog(200, 'OK')],
        async (call, events) => {
          await events.first('answered');
          await call.hangUp();
        },
        options,
      );
    });
  }

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
