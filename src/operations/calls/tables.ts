// Row types of calls, their causes, cycles and attempts.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';
import type { CallRow, CycleRow } from './call-rows.ts';

/** The acknowledgement expired, or the alarm is more urgent than it ever was in this occurrence. */
export type CauseOrigin = 'ack-expired' | 'more-urgent';

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
    /** The reasons for a call and its target; written in the transaction that caused it. */
    call_causes: {
      id: Generated<number>;
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
      /** The most urgent priority that the alarm had since; null: that of the beginning. */
      most_urgent: number | null;
      is_transitory: Flag;
      text: string;
      short_text: string;
      created_at: Instant;
      due_at: Instant;
      /** Why the alarm is called again; null for a raise and for all others. */
      origin: CauseOrigin | null;
      /** Not before this time, because a fault set it aside; null: when it is due. */
      retry_at: Instant | null;
      /** Null until the call engine has assigned it to a call. */
      call_id: number | null;
      ended_at: Instant | null;
      /** `heard` by the person, `alarm` (its transition), `raised-again` (a newer cause replaced it), `cancelled` (by a person), `sent` (a notice to a number) or `call` (its call ended). */
      ended_by: string | null;
      /** For people; no rule reads it. */
      end_reason: string | null;
    };
    /** See domain/calls/. At most one call per target is open. */
    calls: Omit<CallRow, 'id'> & { id: Generated<number> };
    call_cycles: Omit<CycleRow, 'id'> & { id: Generated<number> };
    call_attempts: {
      id: Generated<number>;
      call_id: number;
      cycle_id: number;
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
      /** Whether it is a notice to a number that is not final. */
      is_notice: Flag;
      /** `due`, `started`, `reached`, `failed` or `cancelled`. */
      state: string;
      reply_code: string;
      /** The provider that carries it; null before it started. */
      provider_id: number | null;
      /** The provider's reference of the delivery. */
      provider_ref: string | null;
      /** JSON list of the ids of providers that failed to carry it. */
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
      /** For people; no rule reads it. */
      detail: string;
      /** JSON of `Announced` (domain/calls/announced.ts); null until the attempt has started. */
      announced: string | null;
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
