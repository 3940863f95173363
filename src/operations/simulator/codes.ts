// Shows a code on a simulated phone: a text that belongs to no call and takes no answer.

import type { CodeMessage } from '../../domain/calls/delivery.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Operation } from '../../store/store.ts';
import { phoneRows } from './phone-rows.ts';

export const showCode: Operation<{ message: CodeMessage }, void> = {
  name: 'show-code',
  async run(tx, now, { message: { userId, channel, address, text } }) {
    const shown = { user_id: userId, attempt_id: null, channel, address, direction: 'to', text, created_at: now };
    await tx.each(phoneRows.insert, [{ ...shown, state: 'delivered', outcome: '' }]);
    const data = { text, channel, address };
    await appendEvent(tx, now, { kind: 'phone.text', actor: 'system', subjectId: userId, data });
  },
};
