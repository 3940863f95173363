// Comments on an alarm, once for each idempotency key.

import { commentAlarm } from './alarms/operator-commands.ts';
import { keyed } from './keyed-operation.ts';

export const commentAlarmOnce = keyed(commentAlarm);
