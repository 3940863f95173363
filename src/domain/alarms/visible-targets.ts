// Restricts the call targets of a caller bound to stations to the groups and people it can see. Pure.

import { seesPerson, seesStation } from '../access/access.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';
import type { AlarmAction, DefinitionChange } from './definition.ts';

/** Returns the change with the targets the caller cannot see marked as foreign; they are treated as missing. */
export function foreignMarked(
  change: DefinitionChange,
  stationIds: readonly number[],
  snapshot: PeopleSnapshot,
): DefinitionChange {
  let marked = change;
  for (const list of ['alarm', 'reset', 'ack'] as const) {
    const sent = change[list]?.actions;
    if (sent === undefined) continue;
    marked = { ...marked, [list]: { ...change[list], actions: markForeign(sent, stationIds, snapshot) } };
  }
  return marked;
}

export function markForeign(
  actions: readonly AlarmAction[],
  stationIds: readonly number[],
  snapshot: PeopleSnapshot,
): readonly AlarmAction[] {
  if (stationIds.length === 0) return actions;
  return actions.map((action) => (isForeign(action, stationIds, snapshot) ? { ...action, foreign: true } : action));
}

/** A missing target counts as foreign: it may be created later at a station the caller cannot see. */
function isForeign({ type, id }: AlarmAction, stationIds: readonly number[], snapshot: PeopleSnapshot): boolean {
  const [group, person] = [snapshot.groups.get(id), snapshot.people.get(id)];
  if (type === 'CallGroup') return group === undefined || !seesStation({ stationIds }, group.stationId);
  return type === 'CallUser' && (person === undefined || !seesPerson({ stationIds }, person));
}
