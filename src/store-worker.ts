// What runs in SQLite's threads: wiring that tells the writer the operations and the readers the queries.

import { parentPort, workerData } from 'node:worker_threads';
import { commandAlarm, commentAlarm, deleteAlarm, runDueAlarms } from './operations/alarm-command.ts';
import { attachAlarmScenarios } from './operations/alarm-scenarios.ts';
import { answerCall } from './operations/answer-call.ts';
import { createApiKey, noteApiKeyUse, revokeApiKey } from './operations/api-key.ts';
import { mendCallGaps } from './operations/audit-calls.ts';
import { callGroups, callUsers, drillGroup } from './operations/call-people.ts';
import { createCalling, removeCalling, replaceCalling } from './operations/calling.ts';
import {
  endAttempt,
  lapseLeases,
  renewLeases,
  setCallPolicy,
  startCalls,
  stepCalls,
  takeAttempts,
} from './operations/calls.ts';
import { tellChannelDown } from './operations/channel-down.ts';
import { noteClockStep } from './operations/clock-step.ts';
import { endCommand, renewCommands, setScripts, takeCommands } from './operations/commands.ts';
import { createDirectoryEntry, removeDirectoryEntry, replaceDirectoryEntry } from './operations/directory-entry.ts';
import { tellDiskLow } from './operations/disk.ts';
import { escalateAlarm } from './operations/escalate.ts';
import { firstStart } from './operations/first-start.ts';
import { noteHolidays } from './operations/holidays.ts';
import { keepHouse } from './operations/house-keeping.ts';
import { removeMedia, storeMedia } from './operations/media.ts';
import { greetNodes, leaveNodes, shareHubKey } from './operations/node.ts';
import { answerPhone, cutLine, hangUp, pressKeys, ringPhone, sendText, showText } from './operations/phones.ts';
import { reportAlarm, reportAlarms } from './operations/report-alarm.ts';
import { reportValues } from './operations/report-value.ts';
import { addOverride } from './operations/schedule.ts';
import { endSession, openSession } from './operations/session.ts';
import { trimCalls } from './operations/trim-calls.ts';
import { trimHistory } from './operations/trim-history.ts';
import { addUser, setPassword } from './operations/user.ts';
import { getTokenHolder, getUserForSignIn, isStoreEmpty, listApiKeys, listSessions } from './store/access.ts';
import { listHistories } from './store/alarm-histories.ts';
import { listStatistics } from './store/alarm-statistics.ts';
import { getAlarm, hasDueAlarms, listAlarms } from './store/alarms.ts';
import { findCallGaps, isLastResortLost } from './store/call-audit.ts';
import { listCallHistories } from './store/call-histories.ts';
import { getCalling, listCalling, listTeamsOf } from './store/calling.ts';
import { findDueWork, getMessageOutcome } from './store/calls.ts';
import { findCommandWork } from './store/commands.ts';
import { getDirectoryEntry, listDirectoryEntries } from './store/directory.ts';
import { getDirectoryVersion } from './store/directory-version.ts';
import {
  readAlarmEvents,
  readEvents,
  readLogPosition,
  readLogStart,
  readOtherEvents,
  readTimeline,
} from './store/events.ts';
import { explainCalls } from './store/explain-calls.ts';
import { listInterventions } from './store/interventions.ts';
import { getMediaContent, listMedia } from './store/media.ts';
import { findNode } from './store/nodes.ts';
import { getDutyCalendar, getOnCall, getReadiness } from './store/on-call.ts';
import { getRing, getTypedPin, listPhoneMessages } from './store/phones.ts';
import { readReferenceTime } from './store/reference-time.ts';
import { listRunningCalls } from './store/running-calls.ts';
import { listCalendars } from './store/schedules.ts';
import { serveReader } from './store/sqlite/reader.ts';
import type { WorkerRole } from './store/sqlite/sqlite-store.ts';
import { serveWriter } from './store/sqlite/writer.ts';
import type { Operation, Query } from './store/store.ts';

export const operations: readonly Operation<never, unknown>[] = [
  firstStart,
  keepHouse,
  trimHistory,
  trimCalls,
  shareHubKey,
  greetNodes,
  leaveNodes,
  createDirectoryEntry,
  replaceDirectoryEntry,
  removeDirectoryEntry,
  createCalling,
  replaceCalling,
  removeCalling,
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
  mendCallGaps,
  noteClockStep,
  noteHolidays,
  tellDiskLow,
  tellChannelDown,
  setScripts,
  takeCommands,
  renewCommands,
  endCommand,
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
  getDirectoryEntry,
  getDirectoryVersion,
  listDirectoryEntries,
  getCalling,
  listCalling,
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
  findCommandWork,
  listPhoneMessages,
  getRing,
  getTypedPin,
  getMediaContent,
  listMedia,
  readEvents,
  readAlarmEvents,
  readOtherEvents,
  readTimeline,
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
