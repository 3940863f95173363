// The public interface of the package; every other file is internal.

export type { Credentials } from './auth/digest-client.ts';
export type { Authentication } from './auth/digest-server.ts';
export type { OnFault } from './guard.ts';
export type { Codec } from './media/g711.ts';
export { type MediaEvents, type MediaOptions, MediaSession } from './media/media-session.ts';
export type { Endpoint } from './media/remote-source.ts';
export type { PlayEnd } from './media/rtp-sender.ts';
export type { Key } from './media/telephone-events.ts';
export { NoFreePort, type PortRange } from './media/udp-port.ts';
export { printWav, readWav, WavError, type WavLimits } from './media/wav.ts';
export type { HeaderFields } from './message/header-fields.ts';
export type { NameAddress } from './message/name-address.ts';
export { InvalidValue } from './message/printer.ts';
export { parseUri, printUri, type SipUri } from './message/uri.ts';
export type { AudioAgreement, Direction } from './sdp/audio-negotiation.ts';
export { SdpError } from './sdp/session-description.ts';
export type { Timers, Timing } from './transaction/timers.ts';
export type { Address, Destination, Flow, Network, Protocol, Receiver, TlsSettings } from './transport/network.ts';
export type { Listener, Listening } from './transport/sockets.ts';
export type { AccountCheck } from './user-agent/account-check.ts';
export type { Answered, CallEvents, Digit, EndCause, Ended, Ringing } from './user-agent/call-events.ts';
export type { HangUpReason } from './user-agent/hang-up-reason.ts';
export type { IncomingCall } from './user-agent/incoming-call.ts';
export type { InviteOptions } from './user-agent/invite-request.ts';
export type { OutgoingCall } from './user-agent/outgoing-call.ts';
export type {
  AccountOptions,
  Registration,
  RegistrationEvents,
  RegistrationOptions,
} from './user-agent/registration.ts';
export type { Released, ReleaseOptions } from './user-agent/release.ts';
export type { SavedCall } from './user-agent/saved-call.ts';
export type { OfferHandler } from './user-agent/session.ts';
export type { Health, Supervision, SupervisionEvents, SupervisionOptions } from './user-agent/supervision.ts';
export type { Trunk } from './user-agent/trunk.ts';
export { UserAgent, type UserAgentOptions } from './user-agent/user-agent.ts';
