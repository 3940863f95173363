// SIPp as the called party: plays a scenario once and reports whether every step of it came as expected.

import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missing, startOnFreePort, startProgram } from './programs.ts';
import { superviseForPeer } from './supervised-peer.ts';

export const sippMissing = missing('sipp', 'sip-tester');

export type Sipp = {
  /** The port to call. */
  readonly port: number;
  /** Resolves with 0 when the scenario was played to its end; with what was exchanged, for the message of a failure. */
  readonly ended: Promise<{ readonly code: number | null; readonly log: string }>;
  /** The messages exchanged so far. */
  log(): string;
  /** Lets its call go on from `waitsForSign`. */
  sign(): Promise<void>;
  stop(): Promise<void>;
};

export type SippOptions = {
  readonly protocol?: 'udp' | 'tcp';
  readonly address?: string;
  /** How often the scenario is played, by as many calls; once if absent. */
  readonly calls?: number;
  /** The port that SIPp calls; absent, it is called. */
  readonly target?: number;
  /** After how long it fails; two minutes if absent. */
  readonly withinSeconds?: number;
};

/** Starts SIPp with the steps, which `receive` and `send` make. */
export async function startSipp(steps: readonly string[], options: SippOptions = {}): Promise<Sipp> {
  const { protocol = 'udp', address = '127.0.0.1', calls = 1, target, withinSeconds = 120 } = options;
  const start = (port: number) =>
    startProgram('sipp', (folder) => {
      // SIPp refuses variables that are never read.
      const isKept = steps.some((step) => step.includes(keepDialog));
      const kept = isKept ? '<Reference variables="via,from,to,contact"/>' : '';
      const scenario = `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="test">\n${steps.join('\n')}\n${kept}</scenario>\n`;
      writeFileSync(join(folder, 'scenario.xml'), scenario);
      return [
        ...(target === undefined ? [] : [`${address}:${target}`]),
        ...['-sf', 'scenario.xml', '-i', address.includes(':') ? `[${address}]` : address, '-p', String(port)],
        ...['-t', protocol === 'udp' ? 'u1' : 't1', '-m', String(calls), '-nostdin'],
        ...['-timeout', String(withinSeconds), '-timeout_error'],
        ...['-trace_msg', '-message_file', 'messages.log', '-trace_err', '-error_file', 'errors.log'],
        ...['-mp', String(mediaPortOf(port))],
      ];
    });
  const { program, port } = await startOnFreePort(start, protocol, address);
  const isSupervised = protocol === 'udp' && target === undefined;
  const supervised = isSupervised ? await superviseForPeer(port, address) : undefined;
  const read = (name: string): string => {
    try {
      return readFileSync(join(program.folder, name), 'utf8');
    } catch {
      return '';
    }
  };
  let signs = 0;
  const log = () => `${read('messages.log')}\n${read('errors.log')}\n`;
  return {
    port: supervised?.port ?? port,
    ended: program.ended.then((code) => ({ code, log: log() })),
    log,
    sign: () => sendSign(log(), port, address, ++signs),
    stop: () => {
      supervised?.close();
      return program.stop();
    },
  };
}

/** Waits until the test calls `sign`, however long that takes on this machine. */
export const waitsForSign = receive('MESSAGE');

/** Sends a request of the call in the log, which SIPp knows by its Call-ID; with the number of the last one it would be a repetition. */
async function sendSign(log: string, port: number, address: string, nth: number): Promise<void> {
  const [, callId] = /^Call-ID: *(.+?)\r?$/m.exec(log) ?? [];
  if (callId === undefined) throw new Error(`SIPp has no call yet\n${log}`);
  const lines = [
    `MESSAGE sip:sipp@${address} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address};branch=z9hG4bKsign${nth}`,
    `From: <sip:test@${address}>;tag=sign`,
    `To: <sip:sipp@${address}>`,
    `Call-ID: ${callId}`,
    `CSeq: ${nth} MESSAGE`,
    'Content-Length: 0',
  ];
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) =>
    socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, address, (error) => (error ? reject(error) : resolve())),
  );
  socket.close();
}

export type SippCall = {
  /** Where the INVITE goes. */
  readonly port: number;
  /** The user that is called, and the domain, if it is not the address. */
  readonly to: string;
  readonly domain?: string;
  readonly from?: string;
  /** With them SIPp answers the challenge of a proxy. */
  readonly credentials?: { readonly username: string; readonly password: string };
};

/** Starts SIPp as the caller; `steps` follow its ACK. */
export function startSippCall(call: SippCall, sdp: string, steps: readonly string[]): Promise<Sipp> {
  const { credentials } = call;
  const challenged =
    credentials === undefined
      ? []
      : [
          invite(call, 1, sdp),
          receiveResponse(100, 'optional="true"'),
          `<recv response="407" auth="true"></recv>`,
          acknowledge(call, 1),
        ];
  const answered = [
    invite(call, 2, sdp, credentials),
    receiveResponse(100, 'optional="true"'),
    receiveResponse(180, 'optional="true"'),
    receiveResponse(200, 'rrs="true"'),
    acknowledge(call, 2),
  ];
  return startSipp([...challenged, ...answered, ...steps], { calls: 1, target: call.port });
}

/** The whole of a call that is refused. */
export function startRefusedSippCall(call: SippCall, sdp: string, status: number): Promise<Sipp> {
  const steps = [
    invite(call, 1, sdp),
    receiveResponse(100, 'optional="true"'),
    receiveResponse(status),
    acknowledge(call, 1),
  ];
  return startSipp(steps, { calls: 1, target: call.port });
}

function invite(call: SippCall, seq: number, sdp: string, credentials?: SippCall['credentials']): string {
  const authentication =
    credentials === undefined
      ? []
      : [`[authentication username=${credentials.username} password=${credentials.password}]`];
  const headers = [
    'Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>',
    ...authentication,
    'Content-Type: application/sdp',
  ];
  return `<send retrans="500"><![CDATA[\n${requestOfCaller('INVITE', call, seq, headers)}\n\n${sdp}\n]]></send>`;
}

function acknowledge(call: SippCall, seq: number): string {
  return `<send><![CDATA[\n${requestOfCaller('ACK', call, seq, ['[routes]'])}\n\n]]></send>`;
}

function requestOfCaller(method: string, call: SippCall, seq: number, headers: readonly string[]): string {
  const { to, from = 'sipp', domain = '127.0.0.1' } = call;
  const uri = method === 'ACK' && seq === 2 ? '[next_url]' : `sip:${to}@${domain}`;
  return [
    `${method} ${uri} SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    `From: <sip:${from}@${domain}>;tag=[call_number]caller`,
    `To: <sip:${to}@${domain}>${method === 'ACK' ? '[peer_tag_param]' : ''}`,
    'Call-ID: [call_id]',
    `CSeq: ${seq} ${method}`,
    'Max-Forwards: 70',
    ...headers,
    'Content-Length: [len]',
  ].join('\n');
}

/** SIPp binds several ports from this one on, so those of calls at the same time must lie apart. */
function mediaPortOf(port: number): number {
  return 16_000 + ((port * 8) % 16_000);
}

/** Expects a request, and fails the scenario when another comes. */
export function receive(method: string, action = ''): string {
  return `<recv request="${method}" crlf="true">${action === '' ? '' : `<action>${action}</action>`}</recv>`;
}

export function receiveResponse(status: number, attributes = ''): string {
  return `<recv response="${status}" ${attributes}></recv>`;
}

export function pause(ms: number): string {
  return `<pause milliseconds="${ms}"/>`;
}

/** Answers the last request. */
export function respond(
  status: number,
  phrase: string,
  parts: { headers?: readonly string[]; sdp?: string } = {},
): string {
  const tag = status === 100 ? '' : ';tag=[call_number]peer';
  return sent(
    [
      `SIP/2.0 ${status} ${phrase}`,
      '[last_Via:]',
      '[last_From:]',
      `[last_To:]${tag}`,
      '[last_Call-ID:]',
      '[last_CSeq:]',
    ],
    parts,
  );
}

/** Answers a request of a dialog, whose To has its tag. */
export function respondInDialog(
  status: number,
  phrase: string,
  parts: { headers?: readonly string[]; sdp?: string } = {},
): string {
  return sent(
    [`SIP/2.0 ${status} ${phrase}`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'],
    parts,
  );
}

/** Answers the INVITE that `keepDialog` kept, after other requests have come. */
export function respondToInvite(status: number, phrase: string, sdp?: string): string {
  return sent(
    [
      `SIP/2.0 ${status} ${phrase}`,
      'Via:[$via]',
      'From:[$from]',
      'To:[$to];tag=[call_number]peer',
      '[last_Call-ID:]',
      'CSeq: 1 INVITE',
    ],
    sdp === undefined ? {} : { sdp },
  );
}

/** Keeps what SIPp, as the called party, needs for requests of its own. */
export const keepDialog = `
  <ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>
  <ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>
  <ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
  <ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="contact"/>`;

/** A request of SIPp in the dialog that `keepDialog` kept. */
export function request(
  method: string,
  seq: number,
  parts: { headers?: readonly string[]; body?: readonly [type: string, text: string] } = {},
): string {
  const { headers = [], body } = parts;
  const lines = [
    `${method} [$contact] SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'From:[$to];tag=[call_number]peer',
    'To:[$from]',
    'Call-ID: [call_id]',
    `CSeq: ${seq} ${method}`,
    'Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>',
    'Max-Forwards: 70',
    ...headers,
    ...(body === undefined ? [] : [`Content-Type: ${body[0]}`]),
    'Content-Length: [len]',
    '',
    ...(body === undefined ? [] : [body[1]]),
  ];
  return `<send${method === 'ACK' ? '' : ' retrans="500"'}><![CDATA[\n${lines.join('\n')}\n]]></send>`;
}

function sent(lines: readonly string[], { headers = [], sdp }: { headers?: readonly string[]; sdp?: string }): string {
  const all = [
    ...lines,
    'Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>',
    ...headers,
    ...(sdp === undefined ? [] : ['Content-Type: application/sdp']),
    'Content-Length: [len]',
    '',
    ...(sdp === undefined ? [] : [sdp]),
  ];
  return `<send><![CDATA[\n${all.join('\n')}\n]]></send>`;
}
