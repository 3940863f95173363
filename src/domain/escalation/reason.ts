// Why the engine decided as it did: codes with parameters, which become sentences in the language of the reader. Pure.

import type { ReachedLimit } from '../channels/toll-limits.ts';

/** Parameters are ids, counts and instants; names and addresses are looked up for the reader who may see them. */
export type Reason =
  // Why somebody is called.
  | { readonly code: 'raised' }
  | { readonly code: 'requested' }
  | { readonly code: 'ack-expired' }
  | { readonly code: 'new-round'; readonly round: number }
  | { readonly code: 'more-urgent'; readonly priority: number }
  | { readonly code: 'unanswered' }
  | { readonly code: 'not-acknowledged' }
  | { readonly code: 'next-number' }
  | { readonly code: 'called-later' }
  | { readonly code: 'tried-again' }
  | { readonly code: 'in-turn' }
  | { readonly code: 'relief' }
  | { readonly code: 'relief-per-person' }
  | { readonly code: 'on-duty-now' }
  | { readonly code: 'last-resort' }
  | { readonly code: 'bundled'; readonly count: number }
  | { readonly code: 'notice' }
  // Why the next level is called.
  | { readonly code: 'nobody-took-it' }
  | { readonly code: 'not-taken-in-time'; readonly seconds: number }
  | { readonly code: 'escalated'; readonly by: string }
  // Why somebody is not called, or not yet.
  | { readonly code: 'rings' }
  | { readonly code: 'awaits-answer'; readonly until: number }
  | { readonly code: 'rests'; readonly until: number }
  | { readonly code: 'asked-later'; readonly until: number }
  | { readonly code: 'in-call-that-reads-it' }
  | { readonly code: 'in-another-call'; readonly since: number }
  | { readonly code: 'line-in-use'; readonly since: number }
  | { readonly code: 'no-free-line'; readonly channel: string; readonly since: number }
  | { readonly code: 'throttled'; readonly until: number }
  | { readonly code: 'toll'; readonly limit: ReachedLimit; readonly until: number }
  | { readonly code: 'channel-down'; readonly channel: string }
  | { readonly code: 'channel-not-set-up'; readonly channel: string }
  | { readonly code: 'number-not-served'; readonly channel: string }
  | { readonly code: 'heard' }
  | { readonly code: 'declined' }
  | { readonly code: 'not-reached' }
  | { readonly code: 'no-number' }
  | { readonly code: 'no-usable-number' }
  | { readonly code: 'unverified' }
  | { readonly code: 'locked-number' }
  // Why nobody is called.
  | { readonly code: 'delayed'; readonly until: number }
  | { readonly code: 'nobody-on-call' }
  | { readonly code: 'duty-locked' }
  | { readonly code: 'target-removed' }
  | { readonly code: 'discarded' }
  | { readonly code: 'everybody-heard-in-group' }
  | { readonly code: 'called-in-vain'; readonly round: number }
  // Why calling ended, or a phone stopped.
  | { readonly code: 'taken'; readonly by: string }
  | { readonly code: 'masked'; readonly by: string }
  | { readonly code: 'back-to-normal' }
  | { readonly code: 'alarm-removed'; readonly by: string }
  | { readonly code: 'cancelled'; readonly by: string }
  | { readonly code: 'raised-again' }
  | { readonly code: 'not-named' }
  | { readonly code: 'sent' }
  | { readonly code: 'not-to-be-called' }
  | { readonly code: 'person-removed' }
  | { readonly code: 'number-removed' };

export type ReasonCode = Reason['code'];
