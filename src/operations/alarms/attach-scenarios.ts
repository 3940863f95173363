// Attaches scenarios to one alarm, in addition to those of its tag group and station.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Operation, Query, ReadTx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { type IfMatch, refuseOtherVersion } from '../entity-tag.ts';
import { visibleAmong } from '../people/queries.ts';
import { refuseFields } from '../people/refusals.ts';
import { fieldReferences, missingAmong } from '../people/resource-hooks.ts';
import { attachedScenarios, attachScenarios } from '../people/scenario-rows.ts';
import { forbiddenScenarios } from '../people/scenarios.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { refuseSystemAlarm } from './operator-commands.ts';
import { findAlarmRecords } from './queries.ts';

type Attach = {
  readonly caller: Caller;
  readonly id: number;
  readonly scenarioIds: readonly number[];
  readonly ifMatch: IfMatch;
};

/** Returns the scenarios attached to the alarm that the caller sees; undefined if there is no such alarm. */
export const getAlarmScenarios: Query<{ readonly caller: SeenBy; readonly id: number }, readonly number[] | undefined> =
  {
    name: 'get-alarm-scenarios',
    async run(tx, { caller, id }) {
      const [alarm] = await findAlarmRecords(tx, [id]);
      if (alarm === undefined || !seesStation(caller, alarm.stationId)) return undefined;
      return seenScenarios(tx, id, caller);
    },
  };

type SeenBy = Pick<Caller, 'stationIds'>;

async function seenScenarios(tx: ReadTx, id: number, caller: SeenBy): Promise<readonly number[]> {
  const attached = (await attachedScenarios(tx, 'alarm', [id])).get(id) ?? [];
  const seen = new Set(await visibleAmong(tx, 'scenario', attached, caller));
  return attached.filter((one) => seen.has(one));
}

/** Replaces the scenarios attached to the alarm by the given ones; returns those that the caller sees. */
export const attachAlarmScenarios: Operation<Attach, readonly number[]> = {
  name: 'attach-alarm-scenarios',
  async run(tx, now, { caller, id, scenarioIds, ifMatch }) {
    const [alarm] = await findAlarmRecords(tx, [id]);
    if (alarm === undefined || !seesStation(caller, alarm.stationId))
      throw new AppError('not-found', `There is no alarm ${id}.`);
    refuseSystemAlarm(alarm);
    refuseOtherVersion(await seenScenarios(tx, id, caller), ifMatch);
    const before = (await attachedScenarios(tx, 'alarm', [id])).get(id) ?? [];
    const named = fieldReferences('scenarioIds', scenarioIds);
    refuseFields(await missingAmong(tx, caller, 'scenario', named));
    refuseFields(await forbiddenScenarios(tx, caller, named, before));
    const seen = new Set(await visibleAmong(tx, 'scenario', before, caller));
    // The caller does not know of scenarios of other stations that an administrator attached, so they stay.
    await attachScenarios(tx, 'alarm', id, [...scenarioIds, ...before.filter((other) => !seen.has(other))]);
    await incrementPeopleVersion(tx, 'scenario', 0);
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
    return seenScenarios(tx, id, caller);
  },
};
