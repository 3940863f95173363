// Whether a person is on the way up of a call: in its group or one of the relief groups behind it. Pure.

import type { PeopleSnapshot } from '../../people/call-group.ts';
import type { CallTarget } from '../call.ts';

export function isOnTheWayUp(userId: number, target: CallTarget, snapshot: PeopleSnapshot): boolean {
  if (target.kind === 'user') return target.id === userId;
  if (target.kind !== 'group') return false;
  const seen = new Set<number>();
  for (let id: number | undefined = target.id; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const group = snapshot.groups.get(id);
    const members = group?.teamIds.flatMap((teamId) => snapshot.teams.get(teamId)?.members ?? []) ?? [];
    if (members.some((member) => member.userId === userId)) return true;
    id = group?.reliefGroupId;
  }
  return false;
}
