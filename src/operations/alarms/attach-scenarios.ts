// Attaches scenarios to one alarm, in addition to those of its tag group and station.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Operation } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { visibleAmong } from '../people/queries.ts';
import { refuseFields } from '../people/refusals.ts';
import { fieldReferences, missingAmong } from '../people/resource-hooks.ts';
import { attachedScenarios, attachScenarios } from '../people/scenario-rows.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { refuseSystemAlarm } from './operator-commands.ts';
import { findAlarmRecords } from './queries.ts';

type Attach = { readonly caller: Caller; readonly id: number; readonly scenarioIds: readonly number[] };

/** Replaces the scenarios attached to the alarm by the given ones. */
export const attachAlarmScenarios: Operation<Attach, void> = {
  name: 'attach-alarm-scenarios',
  async run(tx, now, { caller, id, scenarioIds }) {
    const [alarm] = await findAlarmRecords(tx, [id]);
    if (alarm === undefined || !seesStation(caller, alarm.stationId))
      throw new AppError('not-found', `There is no alarm ${id}.`);
    refuseSystemAlarm(alarm);
    const before = (await attachedScenarios(tx, 'alarm', [id])).get(id) ?? [];
    refuseFields(await missingAmong(tx, caller, 'scenario', fieldReferences('scenarioIds', scenarioIds)));
    const seen = new Set(await visibleAmong(tx, 'scenario', before, caller));
    // The caller does not know of scenarios of other stations that an administrator attached, so they stay.
    await attachScenarios(tx, 'alarm', id, [...scenarioIds, ...before.filter((other) => !seen.has(other))]);
    await incrementPeopleVersion(tx);
    await appendEvent(tx, now, {
      kind: 'alarm.scenarios-attached',
      actor: caller.actor,
      stationId: alarm.stationId,
      subjectId: id,
      data: { scenarioIds },
    });
    await appendAudit(tx, now, {
      kind: 'alarm.scenarios-attached',
      origin: caller,
      stationId: alarm.stationId,
      subject: `alarm:${id}`,
      before: { name: alarm.name, scenarioIds: before },
      after: { name: alarm.name, scenarioIds },
    });
  },
};
