// The worker module of a store's threads: gives the writer its operations and the readers their queries.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveBackup } from './cli/backup/serve-backup.ts';
import { createApiKey, noteApiKeyUse, revokeApiKey } from './operations/access/api-keys.ts';
import { bindCalendarKey, getCalendarOfKey } from './operations/access/calendar-keys.ts';
import { warnOfExpiringKeys } from './operations/access/key-warnings.ts';
import { getTokenHolder, isStoreEmpty, listApiKeys, listSessions } from './operations/access/queries.ts';
import { listRevokedKeys } from './operations/access/revoked-keys.ts';
import { endSession, openSession } from './operations/access/sessions.ts';
import { checkSignIn, reserveGuess } from './operations/access/sign-in-guesses.ts';
import { attachAlarmScenarios, getAlarmScenarios } from './operations/alarms/attach-scenarios.ts';
import { readAlarmEvents, readOtherEvents, readWholeEvents } from './operations/alarms/events.ts';
import { reportAlarm, reportAlarms } from './operations/alarms/intake/report.ts';
import { reportValues } from './operations/alarms/intake/report-value.ts';
import { countAlarms } from './operations/alarms/lists/count-alarms.ts';
import { listAlarms } from './operations/alarms/lists/list-alarms.ts';
import {
  commandAlarm,
  commentAlarm,
  deleteAlarm,
  listDueAlarms,
  runDueAlarms,
} from './operations/alarms/operator-commands.ts';
import { getAlarm, hasDueAlarms } from './operations/alarms/queries.ts';
import { listJournal } from './operations/audit/list-journal.ts';
import { readEntries, readSeals, readSegment, readUnsealed } from './operations/audit/read.ts';
import { recordRefusals } from './operations/audit/record-refusals.ts';
import { countUnsealed, sealAudit, trimAudit } from './operations/audit/seal.ts';
import { callOperations, callQueries } from './operations/calls/catalogue.ts';
import { commentAlarmOnce } from './operations/comment-alarm-once.ts';
import {
  answerConversation,
  beginConversation,
  endConversation,
  getTypedPin,
  passSilence,
  pressInConversation,
  tellConversation,
} from './operations/conversations/converse.ts';
import { getOpenForCall, getOpenForCallAmongMany } from './operations/conversations/open-for-call.ts';
import { getRecording } from './operations/conversations/recordings.ts';
import { beginRingIn } from './operations/conversations/sign-in.ts';
import { beginDemo, beginDemoRemoval, stepDemo } from './operations/demo/change-demo.ts';
import { moveDemo } from './operations/demo/move.ts';
import { findDueDemo, getDemo } from './operations/demo/queries.ts';
import { countSeries } from './operations/history/count-series.ts';
import { listInterventions } from './operations/history/list-interventions.ts';
import { getHistory, listHistories } from './operations/history/list-occurrences.ts';
import { listStatistics } from './operations/history/list-statistics.ts';
import { getOccurrenceTimeline } from './operations/history/occurrence-timeline.ts';
import { acknowledgePending } from './operations/history/pending-acknowledgements.ts';
import { trimHistory } from './operations/history/purge.ts';
import { getTimeline } from './operations/history/timeline.ts';
import { previewReports, previewValues } from './operations/intake/preview.ts';
import { claimRefusal, getRefusal, listRefusals, releaseRefusal } from './operations/intake/queries.ts';
import { listRefusedCallers, refusalOperations } from './operations/intake/refusals.ts';
import { getMediaContent, listMedia } from './operations/media/queries.ts';
import { removeMedia, storeMedia } from './operations/media/write.ts';
import { endUnreadCalendar, listUnreadCalendars, noteHolidays } from './operations/on-call/holidays.ts';
import {
  addOverride,
  addOverrideOnce,
  removeOverride,
  replaceOverride,
  swapDuty,
  swapDutyOnce,
  undoSwap,
} from './operations/on-call/overrides.ts';
import { previewDuty } from './operations/on-call/preview.ts';
import { getDutyCalendar, getOnCall, getOnCallSlots, getReadiness } from './operations/on-call/queries.ts';
import {
  createPeopleEntry,
  createPeopleEntryOnce,
  removePeopleEntry,
  replacePeopleEntry,
} from './operations/people/change-resource.ts';
import { getPeopleEntry, listPeopleEntries, listTeamsOf } from './operations/people/queries.ts';
import { listCalendars } from './operations/people/schedule-rows.ts';
import { changeOwnEntry, setDuty } from './operations/people/users/own-entry.ts';
import { removeUser } from './operations/people/users/remove-user.ts';
import { giveBackCode, startVerification } from './operations/people/users/verification.ts';
import { addUser, setPassword } from './operations/people/users.ts';
import { getPeopleVersion } from './operations/people/version.ts';
import {
  createPlantEntry,
  createPlantEntryOnce,
  removePlantEntry,
  replacePlantEntry,
} from './operations/plant/change-resource.ts';
import { movePending } from './operations/plant/move-pending.ts';
import { moveTags } from './operations/plant/move-tags.ts';
import { getPlantEntry, listPlantEntries, listSystemServers } from './operations/plant/queries.ts';
import {
  createProvider,
  createProviderOnce,
  removeProvider,
  replaceProvider,
  replaceSecrets,
} from './operations/providers/change-provider.ts';
import {
  endChannelDown,
  listChannelsBack,
  reportChannelDown,
  reportNoWay,
} from './operations/providers/channel-alarms.ts';
import { noteCheck } from './operations/providers/health.ts';
import { holdProviders, releaseProviders } from './operations/providers/leases.ts';
import { endRefusal, noteMailbox, noteTrouble } from './operations/providers/provider-alarms.ts';
import { getProvider, listProviders, listSealedProviders } from './operations/providers/queries.ts';
import { seedSimulator } from './operations/providers/seed.ts';
import { noteUnopened } from './operations/providers/unopened.ts';
import {
  decideQuarantined,
  listQuarantined,
  listSuspects,
  noteUnplannedEnd,
} from './operations/quarantine/unplanned-end.ts';
import { hasNodeScripts, setNodeScripts } from './operations/scripts/node-scripts.ts';
import { findScriptWork } from './operations/scripts/queries.ts';
import { endScriptRun, renewScriptRuns, takeScriptRuns } from './operations/scripts/script-runs.ts';
import { showCode } from './operations/simulator/codes.ts';
import { getPhoneLine, getRing, listPhoneMessages, listPhones } from './operations/simulator/phone-rows.ts';
import {
  answerPhone,
  cutLine,
  hangUp,
  pressKeys,
  ringPhone,
  sendText,
  showText,
  tellPhone,
} from './operations/simulator/phones.ts';
import { beginSimulatedRingIn, hangUpRingIn, pressInRingIn } from './operations/simulator/ring-in.ts';
import { listSources } from './operations/sources/list-sources.ts';
import { noteHeardReports } from './operations/sources/note-reports.ts';
import { forgetGoneSources, hasSilentSources, noteSilence } from './operations/sources/watch.ts';
import { beginBackup, endBackup, forgetBackups, watchBackups } from './operations/system/backups.ts';
import { noteClockStep } from './operations/system/clock-step.ts';
import { firstStart } from './operations/system/first-start.ts';
import {
  endNodeTrouble,
  reportDiskLow,
  reportEventsDelayed,
  reportFewDescriptors,
  reportTelephonyEnded,
} from './operations/system/node-alarms.ts';
import { findNode, isNodeGone } from './operations/system/node-queries.ts';
import { announceNode, shareHubKey, withdrawNode } from './operations/system/nodes.ts';
import { releasePendingWork } from './operations/system/pending-lease.ts';
import { findPendingWork } from './operations/system/pending-work.ts';
import { purgeExpired } from './operations/system/purge.ts';
import { beginPurge } from './operations/system/purge-pace.ts';
import { getCivilTime, readReferenceTime } from './operations/system/reference-time.ts';
import { getSystemReport } from './operations/system/report.ts';
import { endSetAside, listSetAside, listSetAsideOver, setAsideRow } from './operations/system/set-aside.ts';
import { noteStoreCheck } from './operations/system/store-damage.ts';
import { probeStore } from './operations/system/store-probe.ts';
import { getViews, listSharedViews, replaceViews } from './operations/views/saved-views.ts';
import { readEvents, readLogPosition, readLogStart } from './store/event-log.ts';
import { servePostgresReader } from './store/postgres/reader.ts';
import { serveChecker, serveCheckProcess } from './store/sqlite/check-file.ts';
import { serveReader } from './store/sqlite/reader.ts';
import { serveWriter } from './store/sqlite/writer.ts';
import type { Operation, Query } from './store/store.ts';
import type { WorkerData } from './store/threads/worker-thread.ts';

export const operations: readonly Operation<never, unknown>[] = [
  ...callOperations,
  firstStart,
  warnOfExpiringKeys,
  beginPurge,
  purgeExpired,
  trimHistory,
  shareHubKey,
  announceNode,
  setAsideRow,
  noteUnplannedEnd,
  decideQuarantined,
  endSetAside,
  withdrawNode,
  createPlantEntry,
  replacePlantEntry,
  removePlantEntry,
  moveTags,
  releasePendingWork,
  createPeopleEntry,
  replacePeopleEntry,
  removePeopleEntry,
  removeUser,
  addOverride,
  changeOwnEntry,
  setDuty,
  startVerification,
  giveBackCode,
  showCode,
  replaceOverride,
  removeOverride,
  swapDuty,
  undoSwap,
  addUser,
  setPassword,
  reserveGuess,
  openSession,
  endSession,
  createApiKey,
  revokeApiKey,
  noteApiKeyUse,
  bindCalendarKey,
  reportAlarm,
  reportAlarms,
  reportValues,
  commandAlarm,
  commentAlarm,
  commentAlarmOnce,
  deleteAlarm,
  attachAlarmScenarios,
  runDueAlarms,
  acknowledgePending,
  movePending,
  replaceViews,
  noteHeardReports,
  noteSilence,
  forgetGoneSources,
  createProvider,
  createProviderOnce,
  replaceProvider,
  removeProvider,
  replaceSecrets,
  noteCheck,
  seedSimulator,
  holdProviders,
  noteUnopened,
  releaseProviders,
  probeStore,
  noteClockStep,
  noteStoreCheck,
  beginBackup,
  endBackup,
  watchBackups,
  forgetBackups,
  noteHolidays,
  endUnreadCalendar,
  reportDiskLow,
  reportEventsDelayed,
  reportFewDescriptors,
  reportTelephonyEnded,
  endNodeTrouble,
  reportChannelDown,
  reportNoWay,
  endChannelDown,
  setNodeScripts,
  takeScriptRuns,
  renewScriptRuns,
  endScriptRun,
  beginConversation,
  beginRingIn,
  beginSimulatedRingIn,
  pressInRingIn,
  hangUpRingIn,
  answerConversation,
  pressInConversation,
  passSilence,
  tellConversation,
  endConversation,
  ringPhone,
  showText,
  tellPhone,
  cutLine,
  answerPhone,
  pressKeys,
  hangUp,
  sendText,
  endRefusal,
  noteMailbox,
  noteTrouble,
  storeMedia,
  removeMedia,
  recordRefusals,
  ...refusalOperations,
  claimRefusal,
  releaseRefusal,
  previewReports,
  previewValues,
  sealAudit,
  trimAudit,
  createPlantEntryOnce,
  createPeopleEntryOnce,
  addOverrideOnce,
  swapDutyOnce,
  beginDemo,
  beginDemoRemoval,
  stepDemo,
  moveDemo,
];

export const queries: readonly Query<never, unknown>[] = [
  getOpenForCall,
  getOpenForCallAmongMany,
  ...callQueries,
  listSetAside,
  listQuarantined,
  listSuspects,
  listSetAsideOver,
  listUnreadCalendars,
  listChannelsBack,
  findPendingWork,
  getPlantEntry,
  getPeopleVersion,
  listPlantEntries,
  listSystemServers,
  listRefusals,
  getRefusal,
  listRefusedCallers,
  getPeopleEntry,
  listPeopleEntries,
  listTeamsOf,
  getCivilTime,
  getOnCall,
  getOnCallSlots,
  getReadiness,
  getDutyCalendar,
  previewDuty,
  isStoreEmpty,
  checkSignIn,
  getTokenHolder,
  getCalendarOfKey,
  findNode,
  listSessions,
  listApiKeys,
  listRevokedKeys,
  getAlarm,
  getAlarmScenarios,
  getTimeline,
  listAlarms,
  countAlarms,
  hasDueAlarms,
  getHistory,
  getOccurrenceTimeline,
  listHistories,
  listStatistics,
  listInterventions,
  countSeries,
  listDueAlarms,
  isNodeGone,
  readReferenceTime,
  listCalendars,
  findScriptWork,
  hasNodeScripts,
  listPhoneMessages,
  listPhones,
  getRing,
  listProviders,
  getProvider,
  listSealedProviders,
  getTypedPin,
  getPhoneLine,
  getMediaContent,
  getRecording,
  listMedia,
  listJournal,
  countUnsealed,
  readSegment,
  readUnsealed,
  readEntries,
  readSeals,
  readEvents,
  readAlarmEvents,
  readWholeEvents,
  readOtherEvents,
  readLogPosition,
  readLogStart,
  getViews,
  listSharedViews,
  listSources,
  hasSilentSources,
  getSystemReport,
  getDemo,
  findDueDemo,
];

function byName<T extends { readonly name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Serves a store over `port`; in a thread of its own, except in tests. */
export function serveStore(port: MessagePort, data: WorkerData): void {
  if (data.role === 'writer') serveWriter(port, data, byName(operations));
  else if (data.role === 'reader') serveReader(port, data.file, byName(queries));
  else if (data.role === 'checker') serveChecker(port, data.file);
  else if (data.role === 'backup') serveBackup(port, data);
  else servePostgresReader(port, data.url, byName(queries));
}

if (parentPort !== null) serveStore(parentPort, workerData);
else serveCheckProcess();
