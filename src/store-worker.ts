// The worker module of SQLite's threads: gives the writer its operations and the readers their queries.

import { parentPort, workerData } from 'node:worker_threads';
import { createApiKey, noteApiKeyUse, revokeApiKey } from './operations/access/api-keys.ts';
import {
  getTokenHolder,
  getUserForSignIn,
  isStoreEmpty,
  listApiKeys,
  listSessions,
} from './operations/access/queries.ts';
import { endSession, openSession } from './operations/access/sessions.ts';
import { attachAlarmScenarios } from './operations/alarms/attach-scenarios.ts';
import { commandAlarm, commentAlarm, deleteAlarm, runDueAlarms } from './operations/alarms/operator-commands.ts';
import { getAlarm, hasDueAlarms, listAlarms } from './operations/alarms/queries.ts';
import { reportAlarm, reportAlarms } from './operations/alarms/report.ts';
import { reportValues } from './operations/alarms/report-value.ts';
import { getTimeline } from './operations/alarms/timeline.ts';
import {
  endAttempt,
  lapseLeases,
  renewLeases,
  setCallPolicy,
  startCalls,
  stepCalls,
  takeAttempts,
} from './operations/calls/advance.ts';
import { answerCall } from './operations/calls/answer.ts';
import { callGroups, callUsers, drillGroup } from './operations/calls/call-by-request.ts';
import { listRunningCalls } from './operations/calls/calls-of-alarms.ts';
import { escalateAlarm } from './operations/calls/escalate.ts';
import { explainCalls } from './operations/calls/explain.ts';
import { findCallGaps, isLastResortLost } from './operations/calls/find-gaps.ts';
import { listCallHistories } from './operations/calls/list-attempts.ts';
import { purgeCalls } from './operations/calls/purge.ts';
import { findDueWork, getMessageOutcome } from './operations/calls/queries.ts';
import { repairCallGaps } from './operations/calls/repair-gaps.ts';
import { listInterventions } from './operations/history/list-interventions.ts';
import { listHistories } from './operations/history/list-occurrences.ts';
import { listStatistics } from './operations/history/list-statistics.ts';
import { trimHistory } from './operations/history/purge.ts';
import { getMediaContent, listMedia } from './operations/media/queries.ts';
import { removeMedia, storeMedia } from './operations/media/write.ts';
import { noteHolidays } from './operations/on-call/holidays.ts';
import { getDutyCalendar, getOnCall, getReadiness } from './operations/on-call/queries.ts';
import { createPeopleEntry, removePeopleEntry, replacePeopleEntry } from './operations/people/change-resource.ts';
import { getPeopleEntry, listPeopleEntries, listTeamsOf } from './operations/people/queries.ts';
import { listCalendars } from './operations/people/schedule-rows.ts';
import { addOverride } from './operations/people/schedules.ts';
import { addUser, setPassword } from './operations/people/users.ts';
import { getPeopleVersion } from './operations/people/version.ts';
import { createPlantEntry, removePlantEntry, replacePlantEntry } from './operations/plant/change-resource.ts';
import { getPlantEntry, listPlantEntries } from './operations/plant/queries.ts';
import { findScriptWork } from './operations/scripts/queries.ts';
import { endScriptRun, renewScriptRuns, setScripts, takeScriptRuns } from './operations/scripts/script-runs.ts';
import { getRing, getTypedPin, listPhoneMessages } from './operations/simulator/phone-rows.ts';
import {
  answerPhone,
  cutLine,
  hangUp,
  pressKeys,
  ringPhone,
  sendText,
  showText,
} from './operations/simulator/phones.ts';
import { noteClockStep } from './operations/system/clock-step.ts';
import { firstStart } from './operations/system/first-start.ts';
import { findNode } from './operations/system/node-queries.ts';
import { announceNode, shareHubKey, withdrawNode } from './operations/system/nodes.ts';
import { purgeExpired } from './operations/system/purge.ts';
import { readReferenceTime } from './operations/system/reference-time.ts';
import { reportChannelDown, reportDiskLow } from './operations/system/system-alarms.ts';
import { readAlarmEvents, readEvents, readLogPosition, readLogStart, readOtherEvents } from './store/event-log.ts';
import { serveReader } from './store/sqlite/reader.ts';
import type { WorkerRole } from './store/sqlite/sqlite-store.ts';
import { serveWriter } from './store/sqlite/writer.ts';
import type { Operation, Query } from './store/store.ts';

export const operations: readonly Operation<never, unknown>[] = [
  firstStart,
  purgeExpired,
  trimHistory,
  purgeCalls,
  shareHubKey,
  announceNode,
  withdrawNode,
  createPlantEntry,
  replacePlantEntry,
  removePlantEntry,
  createPeopleEntry,
  replacePeopleEntry,
  removePeopleEntry,
  addOverride,
  addUser,
  setPassword,
  openSession,
  endSession,
  createApiKey,
  revokeApiKey,
  noteApiKeyUse,
  reportAlarm,
  reportAlarms,
  reportValues,
  commandAlarm,
  commentAlarm,
  deleteAlarm,
  attachAlarmScenarios,
  runDueAlarms,
  callUsers,
  callGroups,
  drillGroup,
  escalateAlarm,
  setCallPolicy,
  startCalls,
  stepCalls,
  takeAttempts,
  lapseLeases,
  renewLeases,
  endAttempt,
  answerCall,
  repairCallGaps,
  noteClockStep,
  noteHolidays,
  reportDiskLow,
  reportChannelDown,
  setScripts,
  takeScriptRuns,
  renewScriptRuns,
  endScriptRun,
  ringPhone,
  showText,
  cutLine,
  answerPhone,
  pressKeys,
  hangUp,
  sendText,
  storeMedia,
  removeMedia,
];

export const queries: readonly Query<never, unknown>[] = [
  getPlantEntry,
  getPeopleVersion,
  listPlantEntries,
  getPeopleEntry,
  listPeopleEntries,
  listTeamsOf,
  getOnCall,
  getReadiness,
  getDutyCalendar,
  isStoreEmpty,
  getUserForSignIn,
  getTokenHolder,
  findNode,
  listSessions,
  listApiKeys,
  getAlarm,
  getTimeline,
  listAlarms,
  hasDueAlarms,
  listHistories,
  listStatistics,
  listInterventions,
  listCallHistories,
  listRunningCalls,
  explainCalls,
  getMessageOutcome,
  findDueWork,
  readReferenceTime,
  listCalendars,
  findCallGaps,
  isLastResortLost,
  findScriptWork,
  listPhoneMessages,
  getRing,
  getTypedPin,
  getMediaContent,
  listMedia,
  readEvents,
  readAlarmEvents,
  readOtherEvents,
  readLogPosition,
  readLogStart,
];

function byName<T extends { readonly name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

if (parentPort !== null) {
  const { role, file } = workerData as { role: WorkerRole; file: string };
  if (role === 'writer') serveWriter(parentPort, file, byName(operations));
  else serveReader(parentPort, file, byName(queries));
}
