// All migrations in order.

import type { Migration } from '../store/migration.ts';
import { house } from './0001-house.ts';
import { alarms } from './0002-alarms.ts';
import { historyIndex } from './0003-history-index.ts';
import { media } from './0004-media.ts';
import { nodes } from './0005-nodes.ts';
import { directory } from './0006-directory.ts';
import { calls } from './0007-calls.ts';
import { commands } from './0008-commands.ts';
import { fewerIndexes } from './0009-fewer-indexes.ts';
import { textsOfAlarms } from './0010-texts-of-alarms.ts';
import { keptApart } from './0011-kept-apart.ts';
import { waitingForLines } from './0012-waiting-for-lines.ts';
import { lighterRaises } from './0013-lighter-raises.ts';
import { callStatesInColumns } from './0014-call-states-in-columns.ts';
import { failedRounds } from './0015-failed-rounds.ts';
import { audit } from './0016-audit.ts';
import { signInThrottle } from './0017-sign-in-throttle.ts';
import { revokedKeys } from './0018-revoked-keys.ts';
import { intake } from './0019-intake.ts';
import { people } from './0020-people.ts';
import { calling } from './0021-calling.ts';
import { noticesAndExpiry } from './0022-notices-and-expiry.ts';
import { providers } from './0023-providers.ts';
import { tolls } from './0024-tolls.ts';
import { inboundAnswers } from './0025-inbound-answers.ts';
import { messageOrder } from './0026-message-order.ts';
import { newsOfAlarms } from './0027-news-of-alarms.ts';
import { savedViews } from './0028-saved-views.ts';
import { sources } from './0029-sources.ts';
import { demo } from './0030-demo.ts';
import { callsThatJoin } from './0031-calls-that-join.ts';
import { pendingWork } from './0032-pending-work.ts';
import { alarmDescriptions } from './0033-alarm-descriptions.ts';
import { chatteringAlarms } from './0034-chattering-alarms.ts';
import { purgingByIndex } from './0035-purging-by-index.ts';
import { callsByTarget } from './0036-calls-by-target.ts';
import { orderOfReports } from './0037-order-of-reports.ts';
import { escalations } from './0038-escalations.ts';
import { unopenedProviders } from './0039-unopened-providers.ts';
import { quarantine } from './0040-quarantine.ts';
import { eventsOfOccurrences } from './0041-events-of-occurrences.ts';

export const migrations: readonly Migration[] = [
  house,
  alarms,
  historyIndex,
  media,
  nodes,
  directory,
  calls,
  commands,
  fewerIndexes,
  textsOfAlarms,
  keptApart,
  waitingForLines,
  lighterRaises,
  callStatesInColumns,
  failedRounds,
  audit,
  signInThrottle,
  revokedKeys,
  intake,
  people,
  calling,
  noticesAndExpiry,
  providers,
  tolls,
  inboundAnswers,
  messageOrder,
  newsOfAlarms,
  savedViews,
  sources,
  demo,
  callsThatJoin,
  pendingWork,
  alarmDescriptions,
  chatteringAlarms,
  purgingByIndex,
  callsByTarget,
  orderOfReports,
  escalations,
  unopenedProviders,
  quarantine,
  eventsOfOccurrences,
];
