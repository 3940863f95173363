// Properties of the parser: it never throws, a message survives printing, and no body becomes a request of its own.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeaderFields } from '../../src/message/header-fields.ts';
import type { SipMessage } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parser.ts';
import { printMessage } from '../../src/message/printer.ts';
import { type Framed, StreamFramer } from '../../src/message/stream-framer.ts';
import { printUri } from '../../src/message/uri.ts';
import { fc } from '../harness/fast-check.ts';
import { soak } from '../harness/soak.ts';
import { plainRequest } from '../harness/wire.ts';

const token = fc.stringMatching(/^[A-Za-z0-9\-.!%*_+`'~]{1,12}$/);
const host = fc.oneof(fc.ipV4(), fc.constantFrom('example.com', '[2001:db8::1]', 'a-b.c'));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
/** Any printable text. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((each) => !/\p{Cc}/u.test(each) && each.isWellFormed());
const parameters = fc
  .array(
    fc.tuple(
      token,
      fc.option(
        text.filter((each) => each !== ''),
        { nil: undefined },
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => new Map(pairs.map(([name, value]) => [`x${name.toLowerCase()}`, value])));
const uri = fc
  .record({ user: text.filter((each) => each !== ''), host, port })
  .map(({ user, host: place, port: number }) =>
    printUri({
      scheme: 'sip',
      user,
      host: place,
      ...(number !== undefined && { port: number }),
      parameters: new Map(),
    }),
  );
const address = fc
  .record({ displayName: text.filter((each) => each.trim() !== ''), uri, parameters })
  .map(({ displayName, ...rest }) => ({ displayName, ...rest }));
const via = fc
  .record({ protocol: fc.constantFrom('UDP', 'TCP', 'TLS'), host, port, parameters })
  .map(({ port: number, ...rest }) => ({ ...rest, ...(number !== undefined && { port: number }) }));
const headers = fc
  .array(fc.tuple(token, text), { maxLength: 4 })
  .map((fields) => new HeaderFields(fields.map(([name, value]) => ({ name: `X-${name}`, value: value.trim() }))));

const message: fc.Arbitrary<SipMessage> = fc
  .record({
    method: token,
    status: fc.integer({ min: 100, max: 699 }),
    isRequest: fc.boolean(),
    reason: text,
    uri,
    vias: fc.array(via, { minLength: 1, maxLength: 3 }),
    from: address,
    to: address,
    callId: fc.stringMatching(/^[!-~]{1,30}$/),
    number: fc.integer({ min: 0, max: 0x7fff_ffff }),
    maxForwards: fc.integer({ min: 0, max: 255 }),
    headers,
    body: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  })
  .map(({ method, status, isRequest, reason, uri: target, number, maxForwards, ...common }) => {
    const rest = { ...common, cseq: { number, method } };
    if (isRequest) return { kind: 'request', method, uri: target, maxForwards, ...rest };
    return { kind: 'response', status, reason, ...rest };
  });

const valid = plainRequest(
  'INVITE sip:user@example.com SIP/2.0',
  { Contact: '"A \\" B" <sip:a@b>;q=1', Route: '<sip:p.example;lr>', 'Content-Type': 'application/sdp' },
  'v=0\r\n',
);

/** The valid request with some bytes changed, left out or put in. */
const mutated = fc
  .array(
    fc.tuple(
      fc.nat(valid.length - 1),
      fc.constantFrom('set', 'cut', 'put'),
      fc.uint8Array({ minLength: 1, maxLength: 6 }),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((changes) =>
    changes.reduce((bytes, [at, kind, put]) => {
      const end = kind === 'put' ? at : at + put.length;
      return Buffer.concat([bytes.subarray(0, at), kind === 'cut' ? Buffer.alloc(0) : put, bytes.subarray(end)]);
    }, valid),
  );

/** A message in a form that can be compared. */
function shape(each: SipMessage): unknown {
  const address = ({ displayName, uri: target, parameters: pairs }: SipMessage['from']) => [
    displayName,
    target,
    [...pairs],
  ];
  const vias = each.vias.map((hop) => [hop.protocol, hop.host, hop.port, [...hop.parameters]]);
  const { kind, callId, cseq, body } = each;
  const start = kind === 'request' ? [each.method, each.uri, each.maxForwards] : [each.status, each.reason.trimEnd()];
  return {
    kind,
    start,
    vias,
    from: address(each.from),
    to: address(each.to),
    callId,
    cseq,
    headers: [...each.headers],
    body,
  };
}

describe('the parser', () => {
  it('understands what the printer writes', () => {
    fc.assert(
      fc.property(message, (each) => {
        const parsed = parseMessage(printMessage(each));
        assert.ok(parsed.kind !== 'malformed', JSON.stringify(parsed));
        assert.deepEqual(shape(parsed), shape(each));
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('never throws, neither for any bytes nor for a request with mistakes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
      mutated,
    );
    fc.assert(
      fc.property(bytes, (each) => {
        assert.match(parseMessage(each).kind, /^(?:request|response|malformed)$/);
      }),
      { numRuns: soak(2_000) },
    );
  });

  it('reads what it has understood the same way after printing it again', () => {
    fc.assert(
      fc.property(mutated, (each) => {
        const parsed = parseMessage(each);
        if (parsed.kind === 'malformed') return;
        const again = parseMessage(printMessage(parsed));
        assert.ok(again.kind !== 'malformed', JSON.stringify(again));
        assert.deepEqual(shape(again), shape(parsed));
      }),
      { numRuns: soak(2_000) },
    );
  });
});

/** The messages of a stream that arrives in pieces cut at those places. */
function framed(stream: Buffer, cuts: readonly number[]): Framed[] {
  const framer = new StreamFramer();
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  return places.slice(1).flatMap((end, at) => [...framer.push(stream.subarray(places[at], end))]);
}

describe('a stream', () => {
  const cuts = fc.array(fc.nat(2_000), { maxLength: 8 });

  it('gives the same messages however it is cut', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), cuts, (messages, places) => {
        const written = messages.map(printMessage);
        const found = framed(Buffer.concat(written), places).flatMap((each) =>
          each.kind === 'message' ? [each.bytes] : [],
        );
        assert.deepEqual(found, written);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it('never throws, and is silent after its first broken message', () => {
    fc.assert(
      fc.property(mutated, cuts, (bytes, places) => {
        const found = framed(Buffer.concat([bytes, valid]), places);
        const broken = found.findIndex((each) => each.kind === 'broken');
        assert.ok(broken < 0 || broken === found.length - 1);
      }),
      { numRuns: soak(1_000) },
    );
  });
});
