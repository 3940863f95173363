// Enters a group with a call, and passes the call on along the chain of relief groups. Pure.

import { onDutyIn } from '../../on-call/on-duty.ts';
import { dutyWords } from '../../on-call/words/catalogue.ts';
import { sayDuty } from '../../on-call/words/words.ts';
import type { CallGroup } from '../../people/call-group.ts';
import { refer } from '../../people/references.ts';
import type { CallDraft } from './call-draft.ts';
import { callNextInTurn, callPeople, membersOnDuty } from './next-people.ts';
import { waitForDuty } from './wait-for-duty.ts';

/** A group without anybody on duty passes the call on to its relief group at once, or waits for the next duty. */
export function enterGroup(draft: CallDraft, groupId: number, reason: string): void {
  draft.change({ groupId, visited: [...draft.call.visited, groupId] });
  const group = draft.context.snapshot.groups.get(groupId);
  const members = group === undefined ? [] : membersOnDuty(draft, group, false);
  const relief = group === undefined ? [] : membersOnDuty(draft, group, true);
  if (group === undefined || members.length + relief.length === 0) handleNobodyOnCall(draft, groupId, group);
  else if (members.length === 0) callPeople(draft, relief, { groupId, isRelief: true }, 'only relief is on duty');
  else if (group.callMode === 'turn') callNextInTurn(draft, group, () => true, reason);
  else callPeople(draft, members, { groupId, isRelief: false }, reason);
}

/** Calls the relief group of this level; returns false if there is none that was not called in this round. */
export function enterReliefGroup(draft: CallDraft, reason: string): boolean {
  const reliefId = nextReliefGroup(draft);
  if (reliefId === undefined) return false;
  draft.change({ level: draft.call.level + 1 });
  draft.beginLevel();
  draft.note({ kind: 'level', groupId: reliefId, reason });
  enterGroup(draft, reliefId, reason);
  return true;
}

/** Returns the relief group of the current group, unless it was called in this round. */
export function nextReliefGroup({ call, context }: CallDraft): number | undefined {
  const reliefId = context.snapshot.groups.get(call.groupId ?? 0)?.reliefGroupId;
  return reliefId === undefined || call.visited.includes(reliefId) ? undefined : reliefId;
}

function handleNobodyOnCall(draft: CallDraft, groupId: number, group: CallGroup | undefined): void {
  const { snapshot } = draft.context;
  const isLastResort = draft.call.target.kind === 'last-resort';
  const duty = group && onDutyIn(group, snapshot, draft.now);
  const why = duty?.nobody === undefined ? 'it does not exist any more' : sayDuty(duty.nobody, dutyWords.en, refer);
  const name = refer.group(groupId);
  // A locked duty means that nobody is to be called, the relief group included.
  if (!duty?.isLocked && enterReliefGroup(draft, `nobody is on call in ${name}: ${why}`)) return;
  if (draft.call.cycles.length > 0) return;
  const sentence = `Nobody is on call in ${name}: ${why}`;
  draft.trouble({ kind: 'nobody-on-call', groupId, sentence, ...(duty?.isLocked ? { isWanted: true } : {}) });
  // The administrators are called instead; see rounds.ts.
  if (isLastResort) return;
  const first = snapshot.groups.get(draft.call.visited[0] ?? 0);
  if (first?.discardWhenNobodyOnCall) {
    draft.end(`discarded: nobody is on call: ${why}`);
  } else {
    waitForDuty(draft);
    draft.note({ kind: 'waiting', groupId, reason: `nobody is on call: ${why}` });
  }
}
