// The short form of an event that shows an alarm: what an alarm is called is stored once as a description, and the event has what
// changes from one event to the next. Pure.

import type { AlarmLife } from './alarm.ts';
import type { AlarmView } from './view.ts';

/** The part of an alarm's view that stays the same while it comes and goes. */
export type Description = Pick<
  AlarmView,
  'id' | 'dataServerId' | 'path' | 'name' | 'priority' | 'definition' | 'createdAt'
> & { readonly tagGroupId?: number | undefined };

type EventData = Readonly<Record<string, unknown>>;

/** Present in events of the short form: flags, state, description, occurrence, and how long before the event it was raised and changed. */
type Core = readonly [
  flags: number,
  state: AlarmLife['state'],
  descriptionId: number,
  historyId: number,
  raisedBefore: number | null,
  changedBefore: number,
];

/** The fields of an alarm that are empty in most events, and left out of the short form then. */
type Rest = Partial<Pick<AlarmView, 'value' | 'ackUser' | 'ackUserId' | 'comment'> & Pick<AlarmLife, 'mask'>>;

const isTransition = 1;
const isAnnounced = 2;
const isChanged = 4;
const isComment = 8;

export function descriptionOf(alarm: AlarmView & { readonly tagGroupId?: number | undefined }): Description {
  const { id, dataServerId, path, name, priority, definition, createdAt, tagGroupId } = alarm;
  return { id, dataServerId, path, name, priority, definition, createdAt, tagGroupId };
}

export function isSameDescription(one: Description, other: Description): boolean {
  return (
    one.dataServerId === other.dataServerId &&
    one.name === other.name &&
    one.path === other.path &&
    one.priority === other.priority &&
    one.tagGroupId === other.tagGroupId &&
    (one.definition === other.definition || isSameText(one.definition, other.definition))
  );
}

function isSameText(one: Description['definition'], other: Description['definition']): boolean {
  const isSame = (list: 'alarm' | 'reset' | 'ack'): boolean =>
    one[list].message === other[list].message && one[list].attachedFile === other[list].attachedFile;
  return (
    isSame('alarm') &&
    isSame('reset') &&
    isSame('ack') &&
    isSameJson(one.names, other.names) &&
    isSameJson(one.systemText, other.systemText)
  );
}

function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the short form of data that show an alarm, `at` the time of the event. */
export function packEvent(data: EventData, at: number, descriptionId: number): EventData {
  const {
    alarm,
    state: _,
    isAnnounced: announced,
    isChanged: changed,
    actions,
    comment: said,
    tagGroupId: __,
    historyId,
    ...others
  } = data;
  const { life, value, ackUser, ackUserId, comment } = alarm as AlarmView;
  const flags =
    (announced === undefined ? 0 : isTransition) |
    (announced === true ? isAnnounced : 0) |
    (changed === true ? isChanged : 0) |
    (said === undefined ? 0 : isComment);
  const raisedBefore = life.raisedAt === undefined ? null : at - life.raisedAt;
  const core: Core = [flags, life.state, descriptionId, Number(historyId ?? 0), raisedBefore, at - life.lastChange];
  const rest: Rest = {
    ...(value === '' ? {} : { value }),
    ...(ackUser === '' ? {} : { ackUser }),
    ...(ackUserId === undefined ? {} : { ackUserId }),
    ...(comment === '' ? {} : { comment }),
    ...(life.mask === undefined ? {} : { mask: life.mask }),
  };
  return {
    c: core,
    ...(Object.keys(rest).length === 0 ? {} : { rest }),
    ...(Array.isArray(actions) && actions.length > 0 ? { actions } : {}),
    ...others,
  };
}

/** Returns the description that an event of the short form refers to; undefined for any other event. */
export function descriptionIdIn({ c }: EventData): number | undefined {
  return Array.isArray(c) ? (c as unknown as Core)[2] : undefined;
}

/** Returns the data of an event of the short form as they were. */
export function unpackEvent(packed: EventData, at: number, known: Description, dataServerName: string): EventData {
  const { c, rest = {}, actions = [], ...others } = packed;
  const [flags, state, , historyId, raisedBefore, changedBefore] = c as Core;
  const { value = '', ackUser = '', ackUserId, comment = '', mask } = rest as Rest;
  const { tagGroupId, definition, ...described } = known;
  const raisedAt = raisedBefore === null ? undefined : at - raisedBefore;
  const alarm: AlarmView = {
    ...described,
    definition,
    dataServerName,
    value,
    life: { state, mask, raisedAt, lastChange: at - changedBefore },
    ackUser,
    ackUserId,
    comment,
  };
  const transition = { state, isAnnounced: has(flags, isAnnounced), isChanged: has(flags, isChanged), actions };
  return {
    ...(has(flags, isComment) ? { comment } : {}),
    ...(has(flags, isTransition) ? transition : {}),
    ...(tagGroupId === undefined ? {} : { tagGroupId }),
    ...others,
    alarm,
    ...(historyId === 0 ? {} : { historyId }),
  };
}

function has(flags: number, flag: number): boolean {
  return (flags & flag) !== 0;
}
