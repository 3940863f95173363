// Row types of the causes of calls with their escalations, of attempts, messages and turns.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

/** The acknowledgement expired, so that the alarm is called again. */
export type CauseOrigin = 'ack-expired';

declare module '../../store/tables.ts' {
  interface Tables {
    /** Messages sent by POST /call/users. */
    call_messages: {
      id: Generated<number>;
      text: string;
      num: number;
      /** Base64; empty when there is none. */
      audio: string;
      file: string;
      actor: string;
      created_at: Instant;
    };
    /**
     * A cause and its escalation to one target; a cause with several targets has a row for each. Written in the transaction that
     * caused it. Instants of the escalation are engine time (engine/engine-time.ts).
     */
    call_causes: {
      id: Generated<number>;
      /** The id of the first row of the cause, which is the id of the cause; null for causes that ended in earlier versions. */
      cause_id: number | null;
      /** `alarm`, `message`, `test`, `followUp` or `handOver`. */
      kind: string;
      /** For an alarm: the action list it comes from, `alarm`, `reset` or `ack`; for a follow-up `taken` or `back`, for a hand-over `on` or `off`. */
      list: string;
      target_kind: string;
      target_id: number;
      station_id: number;
      alarm_id: number | null;
      history_id: number | null;
      message_id: number | null;
      priority: number;
      is_transitory: Flag;
      text: string;
      short_text: string;
      created_at: Instant;
      due_at: Instant;
      /** Why the alarm is called again; null for a raise and for all others. */
      origin: CauseOrigin | null;
      /** Not before this time, because a fault set it aside; null: when it is due. */
      retry_at: Instant | null;
      /** The id of the first of the escalations to this target that were open at the same time; null until it begins. */
      call_id: number | null;
      /** When the cause ended: the same in all its rows. */
      ended_at: Instant | null;
      /** `heard` by the person, `alarm` (its transition), `raised-again` (a newer cause replaced it), `cancelled` (by a person), `sent` (a notice to a number) or `call` (nobody was reached). */
      ended_by: string | null;
      /** JSON of a Reason; a sentence in rows of earlier versions. */
      end_reason: string | null;
      /** `open`, `exhausted` or `done`; see domain/escalation/escalation.ts for this and what follows. */
      state: string;
      round: number;
      round_since: Instant | null;
      acted_priority: number | null;
      entered: string;
      picked: string;
      paused_until: Instant | null;
      /** When the alarm was last raised again while its calling went on: notices that were sent before were about a former occurrence. */
      raised_again_at: Instant | null;
      rounds_in_vain: number;
      trouble: string | null;
      reason: string | null;
      /** Counts the changes of the escalation, by which a decision sees that it is out of date. */
      version: number;
      /** The first attempt for the escalation: older ones are not needed for it. */
      attempts_from: number | null;
      /** JSON list of the ids of attempts that began before the present round and are still read (engine/earlier-attempts.ts). */
      earlier: Generated<string>;
    };
    call_attempts: {
      id: Generated<number>;
      /** That of the first escalation it is for; 0 without one. */
      call_id: number;
      /** `call`, `notice` or `bundle`. */
      kind: string;
      user_id: number;
      user_name: string;
      group_id: number | null;
      station_id: number;
      cause: string;
      /** The most urgent alarm the attempt was made for. */
      alarm_id: number | null;
      priority: number;
      number_id: number | null;
      channel: string;
      address: string;
      attempt: number;
      /** `due`, `started`, `reached`, `failed` or `cancelled`. */
      state: string;
      reply_code: string;
      /** The provider that carries it; null before it started. */
      provider_id: number | null;
      /** The provider's reference of the delivery. */
      provider_ref: string | null;
      /** JSON list of the providers that failed to carry it, each with its outcome; earlier versions stored ids. */
      tried_providers: string;
      created_at: Instant;
      started_at: Instant | null;
      /** When the provider took it. */
      accepted_at: Instant | null;
      rang_at: Instant | null;
      /** When a telephone was picked up. */
      answered_at: Instant | null;
      /** When the provider said that it was delivered. */
      delivered_at: Instant | null;
      /** When the provider said that it was read. */
      read_at: Instant | null;
      ack_at: Instant | null;
      ended_at: Instant | null;
      /** A CallOutcome; null while it is under way, and for a text that was delivered and not answered. */
      outcome: string | null;
      /** Who or what ended it: an actor such as `user:3`, or `channel`. */
      ended_by: string | null;
      /** JSON list of `[alarmId, at]`: the alarms that the person acknowledged, and when. */
      acknowledged: string;
      /** A DeliveryFailure; null for a failure without a consequence of its own. */
      failure: string | null;
      /** JSON of a Reason: why the attempt is made; null in rows of earlier versions. */
      reason: string | null;
      /** JSON of a Reason: why it was stopped; set while it is under way, so that no node begins it or goes on with it. */
      cancel_reason: string | null;
      /** For people; no rule reads it. */
      detail: string;
      /** JSON list of `[causeId, escalationId, level]`, fixed when it begins. */
      tries: string;
      /** JSON list of the ids of causes that were read or counted aloud; null until then. */
      announced_causes: string | null;
      /** JSON of `Announced` (domain/calls/announced.ts): what was named; null until then. */
      announced: string | null;
      is_urgent: Flag;
      is_exempt: Flag;
      /** Of a failure: no other try of the number is made. */
      is_final: Flag;
      /** Of a failure: it uses up a try of the person. */
      counts: Flag;
      /** The provider asks for no other try before so long after the end. */
      retry_after_ms: number | null;
      /** JSON list of `[causeId, answer, at]`. */
      answers: string;
      took_all_at: Instant | null;
      /** Counts the changes that decisions read. */
      version: number;
      /** Search words of the user's name and the detail. */
      words: string;
      /** Search words of the address, apart because not every caller may search by address. */
      address_words: string;
      lease_by: string | null;
      lease_until: Instant | null;
    };
    /** The user last called of each group that calls its members in turn. */
    call_turns: { group_id: number; user_id: number };
  }
}
