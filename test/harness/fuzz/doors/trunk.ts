// A trunk whose answers to our calls have mistakes, over UDP and TCP: responses of each kind, requests in the call, descriptions.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../chance.ts';
import type { Caller } from '../../site/site-caller.ts';
import { type Door, type DoorSite, groupOn, personOn } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';
import { type SipCall, type SipContent, sdp, sipHeader, sipRequest, sipResponse } from '../sip-text.ts';

const people = 8;
/** So many groups are called in turn, so that the directory does not grow; a telephone that was called has a rest meanwhile. */
const groups = 40;
/** Messages in answer to one INVITE. */
const ofCall = 40;

const challenge =
  'Proxy-Authenticate: Digest realm="peer", nonce="4711", algorithm=MD5, qop="auth,auth-int", stale=true';
const descriptions: readonly string[] = [
  sdp(9),
  sdp(9, ['a=sendonly', 'm=video 9 RTP/AVP 96', 'a=rtpmap:96 H264/90000']),
  'v=0\r\no=- 0 0 IN IP6 ::1\r\ns=-\r\nt=0 0\r\nm=audio 9 RTP/SAVP 9 111\r\nc=IN IP4 pbx.example\r\na=rtpmap:111 opus/48000/2\r\n',
];

/** The next message about an INVITE that came. */
function messageAbout(invite: string, call: SipCall, n: number, chance: Chance): string {
  const body = chance.pick(descriptions);
  const contact = `Contact: <sip:peer@${call.host}:${call.port}>`;
  const content: SipContent = { type: 'application/sdp', body };
  const key = { type: 'application/dtmf-relay', body: 'Signal=1\r\nDuration=160\r\n' };
  // The final answers come late, so that there is a call to make mistakes in.
  if (n > ofCall / 2 && chance.percent(20))
    return sipResponse(invite, '200 OK', [contact, 'Record-Route: <sip:a.example;lr>'], content);
  const status = chance.pick(['100 Trying', '180 Ringing', '183 Session Progress', '181 Forwarded', '199 Early']);
  const final = chance.pick([
    '407 Proxy Auth',
    '401 No',
    '302 Moved',
    '486 Busy',
    '503 Off',
    '422 Short',
    '491 Pending',
  ]);
  return chance.pick([
    sipResponse(invite, status, [contact, 'Require: 100rel', 'RSeq: 1'], content),
    sipResponse(invite, status, [contact]),
    n > ofCall - 5 ? sipResponse(invite, final, [challenge, 'Retry-After: 1', 'Min-SE: 90', contact]) : '\r\n\r\n',
    sipRequest(call, 'UPDATE', n + 1, content),
    sipRequest(call, 'INFO', n + 1, key),
    sipRequest(call, 'INVITE', n + 1, content),
    sipRequest(call, 'OPTIONS', n + 1),
  ]);
}

/** Answers what is no call as it should, so that the trunk stays up, and calls with mistakes. */
class HostileTrunk {
  readonly #chance: Chance;
  readonly #transport: 'UDP' | 'TCP';
  #port = 0;
  sent = 0;

  constructor(transport: 'UDP' | 'TCP', chance: Chance) {
    this.#transport = transport;
    this.#chance = chance;
  }

  async start(site: DoorSite): Promise<number> {
    if (this.#transport === 'UDP') {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      socket.on('message', (bytes, from) =>
        this.#take(String(bytes), (answer) =>
          socket.send(answer.subarray(0, 60_000), from.port, from.address, () => {}),
        ),
      );
      site.t.after(() => void socket.close());
      this.#port = socket.address().port;
      return this.#port;
    }
    const server = createServer((socket) => {
      socket.on('error', () => {});
      const send = (bytes: Buffer): void => void (socket.writable && socket.write(bytes));
      socket.on('data', (bytes) => {
        for (const text of String(bytes).split(/(?=^[A-Z]+ sip:)/m)) this.#take(text, send);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    site.t.after(() => void server.close());
    this.#port = (server.address() as AddressInfo).port;
    return this.#port;
  }

  #take(text: string, send: (bytes: Buffer) => void): void {
    const method = text.split(' ', 1)[0] ?? '';
    if (method === 'INVITE' && !/^To: .*;tag=/im.test(text)) void this.#storm(text, send);
    else if (method === 'OPTIONS' || method === 'REGISTER' || method === 'BYE' || method === 'CANCEL')
      send(Buffer.from(sipResponse(text, '200 OK', ['Expires: 60'])));
  }

  async #storm(invite: string, send: (bytes: Buffer) => void): Promise<void> {
    const target = /<([^>]+)>/.exec(sipHeader(invite, 'Contact') ?? '')?.[1] ?? '';
    const call: SipCall = {
      ...{
        id: sipHeader(invite, 'Call-ID') ?? '',
        host: '127.0.0.1',
        port: this.#port,
        transport: this.#transport,
        target,
      },
      from: `${sipHeader(invite, 'To')};tag=fuzz`,
      to: sipHeader(invite, 'From') ?? '',
    };
    for (let n = 0; n < ofCall; n += 1) {
      send(mutated(messageAbout(invite, call, n, this.#chance), this.#chance));
      this.sent += 1;
      if (n % 5 === 0) await pause(1);
    }
    send(Buffer.from(sipResponse(invite, '480 Unavailable')));
    send(Buffer.from(sipRequest(call, 'BYE', 1_000)));
  }
}

async function newGroup(caller: Caller, name: string, port: number, round: number): Promise<number> {
  const members = await Promise.all(
    Array.from({ length: people }, (_, n) => {
      const address = `+336${String(port).padStart(5, '0')}${String(round * people + n).padStart(4, '0')}`;
      return personOn(caller, `${name} ${round} ${n}`, { channel: 'voice', address });
    }),
  );
  return groupOn(caller, `${name} ${round}`, members);
}

function door(transport: 'UDP' | 'TCP'): Door {
  return {
    name: `SIP over ${transport}, a hostile trunk`,
    async run(site, chance, count) {
      const trunk = new HostileTrunk(transport, chance);
      const port = await trunk.start(site);
      const settings = { host: '127.0.0.1', port, transport: transport.toLowerCase(), user: 'tocsin' };
      const name = `Hostile ${transport} ${port}`;
      const provider = await site.caller.create('/providers', { name, channel: 'voice', kind: 'sip', settings });
      const called: number[] = [];
      for (let round = 0; trunk.sent < count; round += 1) {
        const group = called[round % groups] ?? (await newGroup(site.caller, name, port, round));
        if (round < groups) called.push(group);
        const before = trunk.sent;
        const id = await site.caller.alarms.raise(group, { path: `${name}/${round}`, priority: 2 });
        for (let waited = 0; waited < 60 && trunk.sent < before + people * ofCall; waited += 1) await pause(50);
        await site.caller.alarms.acknowledge(id);
        // What was refused often is down until it passes its check.
        await site.caller.ask('POST', `/providers/${provider}/test`);
      }
      await site.caller.ask('DELETE', `/providers/${provider}`);
      return trunk.sent;
    },
  };
}

export const trunkOverUdp = door('UDP');
export const trunkOverTcp = door('TCP');
