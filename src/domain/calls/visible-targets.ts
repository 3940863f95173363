// Whom a caller bound to stations may have called: who is seen by it, and nobody else. Pure.

import { seesPerson, seesStation } from '../access/access.ts';
import type { AlarmAction, DefinitionChange } from '../alarms/definition.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';

/** The change with what is not the caller's to call marked, so that it counts as not there. */
export function foreignMarked(
  change: DefinitionChange,
  stationIds: readonly number[],
  directory: PeopleSnapshot,
): DefinitionChange {
  let marked = change;
  for (const list of ['alarm', 'reset', 'ack'] as const) {
    const sent = change[list]?.actions;
    if (sent === undefined) continue;
    marked = { ...marked, [list]: { ...change[list], actions: markForeign(sent, stationIds, directory) } };
  }
  return marked;
}

export function markForeign(
  actions: readonly AlarmAction[],
  stationIds: readonly number[],
  directory: PeopleSnapshot,
): readonly AlarmAction[] {
  if (stationIds.length === 0) return actions;
  return actions.map((action) => (isForeign(action, stationIds, directory) ? { ...action, foreign: true } : action));
}

/** Who is not there yet may come to be somebody else's. */
function isForeign({ type, id }: AlarmAction, stationIds: readonly number[], directory: PeopleSnapshot): boolean {
  const [group, person] = [directory.groups.get(id), directory.people.get(id)];
  if (type === 'CallGroup') return group === undefined || !seesStation({ stationIds }, group.stationId);
  return type === 'CallUser' && (person === undefined || !seesPerson({ stationIds }, person));
}
