// Words the reasons of the calling engine for one reader: in their language and zone, with the names that they may see.

import { timeIn } from '../../../domain/calls/words/stored-text.ts';
import { channelName } from '../../../domain/channels/channel-names.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { reasonIn } from '../../../domain/escalation/words/catalogue.ts';
import type { Show } from '../../../domain/escalation/words/words.ts';
import type { Language } from '../../../domain/language.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { withNames } from '../../../domain/people/references.ts';
import type { Visibility } from '../../../domain/people/visibility.ts';
import type { Instant } from '../../../store/store.ts';

export type ReasonReader = {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Instant;
  readonly snapshot: PeopleSnapshot;
  readonly visibility: Visibility;
};

/** A reason with its sentence. */
export type WordedReason = { readonly reason: string; readonly reasonCode: string | undefined };

export class ReasonWording {
  readonly #reader: ReasonReader;
  readonly #show: Show;

  constructor(reader: ReasonReader) {
    const { language, timeZone, now } = reader;
    this.#reader = reader;
    this.#show = {
      actor: (actor) => this.withNames(actor),
      time: (instant) => timeText(instant, now, timeZone),
      channel: (name) => channelName(language, name),
    };
  }

  say(reason: Reason): string {
    return reasonIn(this.#reader.language, reason, this.#show);
  }

  worded(reason: Reason): WordedReason {
    return { reason: this.say(reason), reasonCode: reason.code };
  }

  /** A reason as JSON; rows and events of earlier versions hold a sentence. */
  wordedStored(stored: string): WordedReason {
    if (stored.startsWith('{"code"')) return this.worded(JSON.parse(stored) as Reason);
    return { reason: this.withNames(stored), reasonCode: undefined };
  }

  withNames(sentence: string): string {
    const { snapshot, visibility, language } = this.#reader;
    return withNames(sentence, snapshot, visibility, language);
  }
}

/** Prints `13:05`, on another day `2026-11-16 13:05`. */
function timeText(at: Instant, now: Instant, timeZone: string): string {
  const text = timeIn(timeZone, at);
  const today = timeIn(timeZone, now).slice(0, 'yyyy-mm-dd'.length);
  return text.startsWith(today) ? text.slice(today.length + 1) : text;
}
