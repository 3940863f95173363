// The JSON that a webhook is sent. Receivers rely on it: fields are added, and never changed or removed.

import { isAlarmItem } from '../../domain/calls/announced.ts';
import type { CallMessage, CodeMessage } from '../../domain/calls/delivery.ts';

const version = 1;

export function messageBody(message: CallMessage, now: number): string {
  const { attemptId, userId, firstName, language, siteName, priority, text, texts, items, total } = message;
  return JSON.stringify({
    version,
    type: 'message',
    attempt: attemptId,
    time: new Date(now).toISOString(),
    site: siteName,
    test: message.isTest,
    priority,
    person: { id: userId, firstName, language },
    text,
    items: items.map((item, place) => ({ alarmId: isAlarmItem(item) ? item.alarmId : null, text: texts[place] ?? '' })),
    total,
    replyCode: message.replyCode,
  });
}

/** The message with a code that verifies the address. */
export function codeBody({ userId, language, text }: CodeMessage, now: number): string {
  return JSON.stringify({
    version,
    type: 'code',
    time: new Date(now).toISOString(),
    person: { id: userId, language },
    text,
  });
}
