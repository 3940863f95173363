// Steps of SIPp as the telephone of a person: it rings, is answered, presses keys, and is hung up on either side.

import {
  keepDialog,
  pause,
  receive,
  receiveResponse,
  request,
  respond,
  respondInDialog,
} from '../../../packages/sip/test/harness/sipp.ts';

/** SIPp sends telephone events as payload type 96, whatever was agreed. */
export const phoneSdp = sdpOf(
  ['8', '96'],
  ['a=rtpmap:8 PCMA/8000', 'a=rtpmap:96 telephone-event/8000', 'a=fmtp:96 0-15'],
);
/** Of a telephone without telephone events. */
export const plainSdp = sdpOf(['8'], ['a=rtpmap:8 PCMA/8000']);

function sdpOf(types: readonly string[], attributes: readonly string[]): string {
  return [
    'v=0',
    'o=sipp 1 1 IN IP4 [local_ip]',
    's=-',
    'c=IN IP4 [media_ip]',
    't=0 0',
    `m=audio [media_port] RTP/AVP ${types.join(' ')}`,
    ...attributes,
  ].join('\n');
}

export const called = receive('INVITE', keepDialog);
export const rings = respond(180, 'Ringing');
export const answers = respond(200, 'OK', { sdp: phoneSdp });
/** Rings, is answered, and the person holds it to the ear. */
export const takesTheCall = [rings, answers, receive('ACK'), pause(200)];
/** Tocsin hangs up. */
export const hungUpThere = [receive('BYE'), respondInDialog(200, 'OK')];
/** The person hangs up. */
export const hangsUp = [request('BYE', 20), receiveResponse(200)];

export function keys(text: string): string {
  return `<nop><action><exec play_dtmf="${text}"/></action></nop>`;
}

/** Keys count only when some of the message was heard. */
export const hearsSome = pause(1_500);

/** Presses a key every second and a half until Tocsin hangs up, as people do who cannot know when a key counts. */
export function pressesUntilHungUp(key: string): readonly string[] {
  return [
    '<label id="1"/>',
    keys(key),
    '<recv request="BYE" timeout="1500" ontimeout="1"></recv>',
    respondInDialog(200, 'OK'),
  ];
}

/** A key by SIP INFO; `seq` counts the requests of the telephone. */
export function keyByInfo(key: string, seq: number): readonly string[] {
  const body = ['application/dtmf-relay', `Signal=${key}\nDuration=160`] as const;
  return [request('INFO', seq, { body }), receiveResponse(200)];
}

/** Plays a file of A-law without a header, once. */
export function playsAlaw(file: string): string {
  return `<nop><action><exec rtp_stream="${file},1,8"/></action></nop>`;
}
