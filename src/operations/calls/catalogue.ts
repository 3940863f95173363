// The operations and queries of calls, for the threads of the store.

import type { Operation, Query } from '../../store/store.ts';
import { answerCall } from './answer.ts';
import { findCallGaps, repairCallGaps } from './audit-calls.ts';
import { callGroups, callGroupsOnce, callUsers, callUsersOnce, drillGroup, drillGroupOnce } from './call-by-request.ts';
import { watchBudget } from './control/budget.ts';
import {
  getCallPolicy,
  getSiteName,
  replaceCallPolicy,
  seedCallPolicy,
  setCallingMeans,
} from './control/call-policy.ts';
import { cancelCall } from './control/cancel.ts';
import { noteShellCall } from './control/note-shell-call.ts';
import { failAttempt, reportNoAttempts } from './delivery/attempt-faults.ts';
import { noteBounce } from './delivery/bounce.ts';
import { endAttempt } from './delivery/end-attempt.ts';
import { failOver } from './delivery/fail-over.ts';
import { lapseLeases, renewLeases } from './delivery/leases.ts';
import { listLostCalls } from './delivery/lost-calls.ts';
import { noteProgress } from './delivery/progress.ts';
import { listOpenAttempts, takeAttempts } from './delivery/take-attempts.ts';
import { takeReportOnce } from './delivery/take-report.ts';
import { releaseCallingLease, takeCallingLease } from './engine/calling-lease.ts';
import { carryOut } from './engine/carry-out.ts';
import {
  decideCalls,
  decideManyCalls,
  findFaultyCauses,
  getCallingSize,
  listCausesToDecide,
  startDeciding,
} from './engine/decide-calls.ts';
import { escalateAlarm } from './escalate.ts';
import { getAnswerPage } from './inbound/answer-page.ts';
import { ensureSigningKey } from './inbound/signing-keys.ts';
import { takeAnswer } from './inbound/take-answer.ts';
import { getMailDetails } from './messages/mail-details.ts';
import { isHandOverDue, noteHandOvers } from './notices/hand-overs.ts';
import { purgeCalls } from './purge.ts';
import { getMessageOutcome, hasDueAttempts } from './queries.ts';
import { reserveRingIn } from './ring-in/guesses.ts';
import { getCallingState } from './views/calling-state.ts';
import { findCalledAlarms, listRunningCalls } from './views/calls-of-alarms.ts';
import { explainCalls } from './views/explain.ts';
import { getGroupPass } from './views/group-pass.ts';
import { listCallHistories } from './views/list-attempts.ts';
import { listOpenCalls } from './views/list-calls.ts';
import { getCalls } from './views/open-calls.ts';

export const callOperations: readonly Operation<never, unknown>[] = [
  endAttempt,
  lapseLeases,
  renewLeases,
  releaseCallingLease,
  takeCallingLease,
  carryOut,
  answerCall,
  watchBudget,
  callGroups,
  callGroupsOnce,
  callUsers,
  callUsersOnce,
  drillGroup,
  drillGroupOnce,
  replaceCallPolicy,
  seedCallPolicy,
  setCallingMeans,
  cancelCall,
  noteShellCall,
  failAttempt,
  reportNoAttempts,
  noteBounce,
  failOver,
  noteProgress,
  takeAttempts,
  takeReportOnce,
  escalateAlarm,
  ensureSigningKey,
  takeAnswer,
  noteHandOvers,
  purgeCalls,
  repairCallGaps,
  reserveRingIn,
];

export const callQueries: readonly Query<never, unknown>[] = [
  decideCalls,
  decideManyCalls,
  getCallingSize,
  findFaultyCauses,
  listCausesToDecide,
  startDeciding,
  getCallPolicy,
  getSiteName,
  listOpenAttempts,
  listLostCalls,
  findCallGaps,
  getAnswerPage,
  getMailDetails,
  isHandOverDue,
  hasDueAttempts,
  getMessageOutcome,
  getCallingState,
  findCalledAlarms,
  listRunningCalls,
  explainCalls,
  getGroupPass,
  listCallHistories,
  listOpenCalls,
  getCalls,
];
