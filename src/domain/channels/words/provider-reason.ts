// What became of a delivery, and why a provider cannot be used: codes with parameters, which become sentences in the language of the
// reader. What a foreign machine said is a parameter of its own, and quoted. Pure.

/** Names of the settings that help where a server does not speak TLS. */
export type TlsAdvice = 'smtp' | 'imap' | 'sip';

/** Why no connection could be made. `place`: host and port. */
type NetworkReason =
  | { readonly code: 'name-unknown' | 'name-not-looked-up'; readonly host: string }
  | { readonly code: 'address-not-here'; readonly address: string }
  | {
      readonly code:
        | 'nothing-listens'
        | 'no-way-there'
        | 'connection-closed'
        | 'certificate-expired'
        | 'certificate-of-another'
        | 'certificate-untrusted'
        | 'no-response';
      readonly place: string;
    }
  | { readonly code: 'no-tls'; readonly place: string; readonly advice: TlsAdvice };

type MailReason =
  | { readonly code: 'mail-no-sign-in' | 'mail-silent' | 'imap-password' | 'imap-silent'; readonly place: string }
  | { readonly code: 'mail-password'; readonly status: number }
  | { readonly code: 'mail-wants-password' | 'mail-too-large' | 'mail-address-wrong' }
  | { readonly code: 'mail-no-starttls'; readonly place: string; readonly status: number }
  | { readonly code: 'mail-sender-refused' | 'mail-answered' | 'mail-taken'; readonly said: string }
  | { readonly code: 'mail-bounced'; readonly status: string }
  | { readonly code: 'imap-no-mailbox'; readonly mailbox: string }
  | { readonly code: 'replies-unread'; readonly why: ProviderReason };

type TelephoneReason =
  | { readonly code: 'pbx-answered'; readonly status: number; readonly said: string }
  | { readonly code: 'pbx-unreached'; readonly why: ProviderReason }
  | { readonly code: 'pbx-rang-nobody' }
  | { readonly code: 'no-sound-port'; readonly from: number; readonly to: number }
  | { readonly code: 'no-account-password'; readonly user: string }
  | { readonly code: 'account-refused'; readonly user: string; readonly status: number; readonly said: string }
  | { readonly code: 'no-session-description' }
  | { readonly code: 'session-description'; readonly said: string }
  | { readonly code: 'mute'; readonly why: ProviderReason }
  | { readonly code: 'conversation-failed'; readonly said: string }
  | { readonly code: 'answered' | 'answered-without-pin'; readonly failures: readonly ProviderReason[] }
  | {
      readonly code:
        | 'busy'
        | 'rejected'
        | 'no-answer'
        | 'wrong-pin'
        | 'hung-up-without-key'
        | 'no-key'
        | 'machine'
        | 'vanished';
    }
  | { readonly code: 'nobody-answered'; readonly seconds: number }
  | { readonly code: 'code-read-out' | 'rang-in' | 'telephony-restarts' }
  | { readonly code: 'ring-in-closed'; readonly why: ProviderReason }
  | { readonly code: 'ring-in-needs-port' }
  | { readonly code: 'port-unusable'; readonly port: number; readonly said: string }
  | { readonly code: 'recording-not-played'; readonly name: string; readonly said: string };

type SpeechReason =
  | {
      readonly code: 'voices-silent';
      readonly voices: readonly { readonly voice: string; readonly why: ProviderReason }[];
    }
  | { readonly code: 'program-silent'; readonly program: string }
  | { readonly code: 'program-output' | 'program-not-started'; readonly program: string; readonly said: string }
  | { readonly code: 'program-slow'; readonly program: string; readonly seconds: number }
  | { readonly code: 'program-wrote-too-much'; readonly program: string; readonly bytes: number }
  | { readonly code: 'program-ended'; readonly program: string; readonly end: string; readonly said: string }
  /** `looked`: the files that were looked for; of a program that Debian has, nothing. */
  | { readonly code: 'program-missing'; readonly program: string; readonly looked: readonly string[] };

type WebhookReason =
  | { readonly code: 'receiver-answered' | 'receiver-took'; readonly status: number }
  | { readonly code: 'receiver-unreached'; readonly why: ProviderReason }
  | { readonly code: 'outside-late' | 'outside-host-unknown' | 'outside-host-not-looked-up' | 'outside-nothing-there' }
  | { readonly code: 'outside-cut' | 'outside-unreachable' | 'outside-only-https' | 'outside-credentials' }
  | { readonly code: 'outside-private' | 'outside-private-webhook' }
  | { readonly code: 'outside-certificate'; readonly said: string }
  | { readonly code: 'outside-status'; readonly status: number }
  | { readonly code: 'outside-large'; readonly bytes: number }
  | {
      readonly code: 'webhook-address';
      readonly problem: WebhookAddressProblem;
      readonly port: number;
      readonly most: number;
    };

/** Why a URL is not requested. */
export type WebhookAddressProblem =
  | 'too-long'
  | 'no-url'
  | 'plain-http'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'private'
  | 'host'
  | 'port';

type OwnReason =
  | { readonly code: 'said'; readonly text: string }
  | { readonly code: 'unserved'; readonly why: UnservedBecause; readonly channel: string }
  | { readonly code: 'not-accepted' | 'store-away' | 'internal-fault' | 'own-fault' | 'cancelled' | 'unknown-end' }
  | { readonly code: 'server-ended' | 'switched-off' | 'simulation-off' | 'provider-unknown' | 'unusable' }
  | { readonly code: 'kind-unknown'; readonly kind: string }
  | { readonly code: 'secret-missing' | 'secret-of-another-key' | 'secret-damaged'; readonly name: string }
  | { readonly code: 'secret-short'; readonly name: string; readonly least: number }
  | { readonly code: 'no-codes'; readonly channel: string }
  | {
      readonly code:
        | 'channel-failed'
        | 'simulator-dead'
        | 'simulator-dead-check'
        | 'no-such-number'
        | 'shown'
        | 'claimed';
    };

/** Why no provider carries a message. */
export type UnservedBecause = 'not-set-up' | 'switched-off' | 'not-served' | 'down' | 'limited';

export type ProviderReason = NetworkReason | MailReason | TelephoneReason | SpeechReason | WebhookReason | OwnReason;

export type ProviderReasonCode = ProviderReason['code'];

/** The reason of one code. */
export type ReasonOf<Code extends ProviderReasonCode, R = ProviderReason> = R extends { readonly code: infer Codes }
  ? Code extends Codes
    ? Omit<R, 'code'> & { readonly code: Code }
    : never
  : never;

/** A reason as rows, events and errors hold it: JSON. Rows of earlier versions hold a sentence, which stays as it is. */
export function storedReason(reason: ProviderReason): string {
  return JSON.stringify(reason);
}

/** Returns undefined for a sentence. */
export function reasonIn(stored: string): ProviderReason | undefined {
  if (!stored.startsWith('{"code":"')) return undefined;
  try {
    return JSON.parse(stored) as ProviderReason;
  } catch {
    return undefined;
  }
}

/** The sentences of one language, without their full stops; `say` words a reason within another. */
export type ProviderReasonWords = {
  readonly [Code in ProviderReasonCode]: (reason: ReasonOf<Code>, say: (reason: ProviderReason) => string) => string;
};
