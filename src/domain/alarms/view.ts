// The fields of an alarm that lists and hubs show. Stored with an event, they preserve the alarm as it was at that
// time. Pure.

import type { AlarmLife } from './alarm.ts';
import type { AlarmDefinition, Texts } from './definition.ts';
import type { SystemText } from './system-texts/texts.ts';

type ShownTexts = Pick<Texts, 'message' | 'attachedFile'>;

export type AlarmView = {
  readonly id: number;
  readonly dataServerId: number;
  readonly dataServerName: string;
  readonly path: string;
  readonly name: string;
  readonly priority: number;
  readonly value: string;
  readonly definition: Pick<AlarmDefinition, 'names'> & {
    readonly alarm: ShownTexts;
    readonly reset: ShownTexts;
    readonly ack: ShownTexts;
    /** Absent in events that versions without it have stored. */
    readonly systemText?: SystemText | undefined;
  };
  readonly life: Pick<AlarmLife, 'state' | 'mask' | 'raisedAt' | 'lastChange'>;
  readonly createdAt: number;
  readonly ackUser: string;
  /** Undefined if nobody has acknowledged, or a program has. */
  readonly ackUserId?: number | undefined;
  readonly comment: string;
};

/** Copies the view fields only, so that an event does not store the whole alarm. */
export function viewOf(alarm: AlarmView): AlarmView {
  const { id, dataServerId, dataServerName, path, name, priority, value, definition, life, createdAt } = alarm;
  const { state, mask, raisedAt, lastChange } = life;
  return {
    id,
    dataServerId,
    dataServerName,
    path,
    name,
    priority,
    value,
    definition: {
      names: definition.names,
      alarm: shownTexts(definition.alarm),
      reset: shownTexts(definition.reset),
      ack: shownTexts(definition.ack),
      systemText: definition.systemText,
    },
    life: { state, mask, raisedAt, lastChange },
    createdAt,
    ackUser: alarm.ackUser,
    ackUserId: alarm.ackUserId,
    comment: alarm.comment,
  };
}

function shownTexts({ message, attachedFile }: ShownTexts): ShownTexts {
  return { message, attachedFile };
}
