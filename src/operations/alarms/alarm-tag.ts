// The version of an alarm: a removal that names another one is refused.

import { contentTagOf } from '../entity-tag.ts';
import type { StoredAlarm } from './record.ts';

/** Made from what a source or a person changes of an alarm; calls in progress are shown with it, but are not part of it. */
export function alarmTagOf({ id, name, priority, value, tagGroupId, definition, life, comment }: StoredAlarm): string {
  const { state, isLatched, lastChange, mask } = life;
  const changing = [state, isLatched, lastChange, mask?.until, mask?.reason, comment];
  return contentTagOf(JSON.stringify([id, name, priority, value, tagGroupId, definition, ...changing]));
}
