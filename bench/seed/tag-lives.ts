// Tracks what the generated occurrences leave in their alarms: series, texts and the alarm rows.

import { distinctWords, searchableText } from '../../src/domain/search.ts';
import { wholeHours } from '../../src/operations/history/alarm-reaction.ts';
import type { Value, Values } from './bulk.ts';
import { definitionOf, type Plant, type Tag, type TagVersion } from './plant.ts';
import type { Occurrence } from './year.ts';

const noteAfterMs = 8 * 3_600_000;

/** The state of an alarm so far. */
type Life = {
  isLater: boolean;
  seriesId: number | null;
  textId: number | null;
  occurrences: number;
  activeMs: number;
  notedRaise: number;
  longestGap: number;
  unacknowledgedSince: number | null;
  comment: string;
  last: Occurrence | undefined;
};

export type Users = { readonly ids: readonly number[]; readonly names: readonly string[] };
/** The acknowledger's name when it is not a user. */
const programName = 'maintenance program';

const locationColumns = ['station_id', 'data_server_id', 'tag_group_id'];
export const seriesColumns = [
  'id',
  'alarm_id',
  ...locationColumns,
  'first_raised',
  'noted_raise',
  'longest_gap',
  'ended_at',
];

export const historyColumns = [
  ...['id', 'alarm_id', ...locationColumns, 'series_id', 'text_id', 'nth', 'active_before'],
  ...['priority', 'code', 'raised_at', 'ack_at', 'ack_user_id', 'ack_user', 'reset_at', 'comment'],
];

export const alarmColumns = [
  ...['id', ...locationColumns, 'path', 'name', 'words', 'priority', 'value', 'definition'],
  ...['state', 'is_latched', 'raised_at', 'created_at', 'last_change', 'ack_time', 'ack_user', 'ack_user_id'],
  ...['reset_time', 'comment', 'occurrence_id', 'occurrences', 'series_id', 'text_id', 'active_ms'],
  ...['noted_raise', 'longest_gap', 'occurrence_group_id', 'unacknowledged_since'],
];

type Text = {
  readonly alarmId: number;
  readonly name: string;
  readonly message: string;
  readonly words: readonly string[];
  lastEntryId: number | null;
};

export class TagLives {
  readonly #plant: Plant;
  readonly #users: Users;
  readonly #middle: number;
  readonly #lives: readonly Life[];
  readonly #series: Value[][] = [];
  readonly #texts: Text[] = [];

  constructor(plant: Plant, users: Users, middle: number) {
    this.#plant = plant;
    this.#users = users;
    this.#middle = middle;
    this.#lives = plant.tags.map(() => ({
      isLater: false,
      seriesId: null,
      textId: null,
      occurrences: 0,
      activeMs: 0,
      notedRaise: 0,
      longestGap: 0,
      unacknowledgedSince: null,
      comment: '',
      last: undefined,
    }));
  }

  /** Returns the row of the occurrence and the index of its location. */
  add(occurrence: Occurrence): { row: Values; locationIndex: number; textId: number } {
    const { id, tag: number, raisedAt, resetAt, ackAt, user, comment } = occurrence;
    const tag = this.#plant.tags[number] as Tag;
    const life = this.#lives[number] as Life;
    if (!life.isLater && raisedAt >= this.#middle && tag.later !== undefined) this.#change(life);
    const version = versionOf(tag, life);
    this.#note(life, raisedAt);
    life.seriesId ??= this.#newSeries(number, version.locationIndex, raisedAt);
    life.textId ??= this.#newText(number + 1, tag.name, version.message);
    life.occurrences++;
    const location = this.#locationOf(version.locationIndex);
    const about: Values = [
      life.seriesId,
      life.textId,
      life.occurrences,
      life.activeMs,
      tag.priority,
      tag.code,
      raisedAt,
    ];
    const by = ackAt === null ? null : this.#nameOf(user);
    const row = [id, number + 1, ...location, ...about, ackAt, this.#users.ids[user] ?? null, by, resetAt, comment];
    life.activeMs += resetAt === null ? 0 : resetAt - raisedAt;
    if (comment !== '') life.comment = comment;
    if (ackAt === null) life.unacknowledgedSince ??= raisedAt;
    life.last = { ...occurrence };
    return { row, locationIndex: version.locationIndex, textId: life.textId };
  }

  /** As operations/history/alarm-reaction.ts does. */
  #note(life: Life, raisedAt: number): void {
    const series = this.#series[(life.seriesId ?? 0) - 1];
    const sinceLast = wholeHours(raisedAt - (life.last?.raisedAt ?? raisedAt));
    const gap = series === undefined ? 0 : Math.max(life.longestGap, sinceLast);
    if (series !== undefined && gap === life.longestGap && raisedAt - life.notedRaise < noteAfterMs) return;
    life.notedRaise = raisedAt;
    life.longestGap = gap;
    series?.splice(-3, 2, raisedAt, gap);
  }

  /** Moves the alarm to another group, which ends its series, and rewords it. */
  #change(life: Life): void {
    const series = this.#series[(life.seriesId ?? 0) - 1];
    if (series !== undefined) series[seriesColumns.length - 1] = life.last?.raisedAt ?? null;
    life.isLater = true;
    const text = this.#texts[(life.textId ?? 0) - 1];
    if (text !== undefined) text.lastEntryId = life.last?.id ?? null;
    life.seriesId = null;
    life.textId = null;
  }

  #locationOf(index: number): Values {
    const location = this.#plant.locations[index];
    return location === undefined ? [] : [location.stationId, location.dataServerId, location.tagGroupId];
  }

  #nameOf(user: number): string {
    return this.#users.names[user] ?? programName;
  }

  #newSeries(tag: number, locationIndex: number, raisedAt: number): number {
    const id = this.#series.length + 1;
    this.#series.push([id, tag + 1, ...this.#locationOf(locationIndex), raisedAt, raisedAt, 0, null]);
    return id;
  }

  #newText(alarmId: number, name: string, message: string): number {
    this.#texts.push({ alarmId, name, message, words: distinctWords(name, message), lastEntryId: null });
    return this.#texts.length;
  }

  /** Returns the words by which an entry with a comment is found. */
  wordsOf(textId: number, comment: string): readonly string[] {
    const own = distinctWords(comment);
    return [...new Set([...(this.#texts[textId - 1]?.words ?? []), ...own])];
  }

  seriesRows(): readonly Values[] {
    return this.#series;
  }

  textRows(): readonly Values[] {
    return this.#texts.map(({ alarmId, name, message, lastEntryId }, index) => [
      ...[index + 1, alarmId, name, message, lastEntryId],
    ]);
  }

  textWordRows(): readonly Values[] {
    return this.#texts.flatMap(({ words }, index) => words.map((word) => [word, index + 1]));
  }

  alarmRows(createdAt: number): readonly Values[] {
    return this.#lives.map((life, index) => this.#alarmRow(life, index, createdAt));
  }

  alarmWordRows(): readonly Values[] {
    return this.#lives.flatMap((life, index) => {
      const tag = this.#plant.tags[index] as Tag;
      return distinctWords(tag.name, versionOf(tag, life).message, life.comment).map((word) => [word, index + 1]);
    });
  }

  #alarmRow(life: Life, index: number, createdAt: number): Values {
    const tag = this.#plant.tags[index] as Tag;
    const { name } = tag;
    const { last, comment } = life;
    const { locationIndex, message } = versionOf(tag, life);
    const words = searchableText(name, name, message, comment, '');
    const state = last === undefined ? 0 : (last.resetAt === null ? 1 : 0) + (last.ackAt === null ? 2 : 0);
    const lastChange = Math.max(createdAt, last?.raisedAt ?? 0, last?.resetAt ?? 0, last?.ackAt ?? 0);
    const definition = definitionOf(tag, message);
    const ackTime = last?.ackAt ?? null;
    const ackUser = last === undefined || ackTime === null ? '' : this.#nameOf(last.user);
    return [
      ...[index + 1, ...this.#locationOf(locationIndex), name, name, words, tag.priority, '', definition],
      ...[state, 0, last?.raisedAt ?? null, createdAt, lastChange, ackTime, ackUser],
      ...[this.#users.ids[last?.user ?? -1] ?? null, last?.resetAt ?? null, comment, last?.id ?? null],
      ...[life.occurrences, life.seriesId, life.textId, life.activeMs],
      ...[
        life.notedRaise,
        life.longestGap,
        last === undefined ? null : (this.#plant.locations[locationIndex]?.tagGroupId ?? null),
        life.unacknowledgedSince,
      ],
    ];
  }
}

function versionOf(tag: Tag, { isLater }: Life): TagVersion {
  return isLater && tag.later !== undefined ? tag.later : tag.first;
}
