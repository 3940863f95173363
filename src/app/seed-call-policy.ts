// Seeds the call policy from the settings of the first start, and names the settings that the stored policy overrules.

import type { Config, SettingName } from '../config.ts';
import {
  noRules,
  type PolicySettings,
  type PriorityRules,
  repeatedPriorities,
  repeatingRules,
} from '../domain/calls/call.ts';
import { plainWording } from '../domain/calls/words/wording.ts';
import { noTollLimits } from '../domain/channels/toll-limits.ts';

type CallSettings = Config['calling'];

/** Returns the policy that the settings describe. */
export function policyFrom({ untilAcknowledged, endOnReturn, pauseSeconds, ...rest }: CallSettings): PolicySettings {
  const { callAgain, cap, lastResortGroupId, siteName } = rest;
  const listed = [...new Set([...untilAcknowledged, ...endOnReturn])].sort((one, other) => one - other);
  const rulesOf = (priority: number): PriorityRules => ({
    priority,
    ...(untilAcknowledged.includes(priority) ? repeatingRules : noRules),
    pauseSeconds,
    longestPauseSeconds: Math.max(pauseSeconds, noRules.longestPauseSeconds),
    endOnReturn: endOnReturn.includes(priority),
  });
  const priorities = listed.map(rulesOf);
  const tolls = noTollLimits;
  const wording = { ...plainWording, siteName };
  return { priorities, callAgain, cap, tolls, lastResortGroupId, wording, tellsHandOvers: false };
}

/** For each setting, reads from a policy the part that the setting seeds, to compare it with the stored policy. */
const said: Readonly<Partial<Record<SettingName, (policy: PolicySettings) => unknown>>> = {
  TOCSIN_CALL_UNTIL_ACKNOWLEDGED: repeatedPriorities,
  TOCSIN_CALL_END_ON_RETURN: ({ priorities }) =>
    priorities.filter(({ endOnReturn }) => endOnReturn).map(({ priority }) => priority),
  TOCSIN_CALL_PAUSE: ({ priorities }) => [
    ...new Set(priorities.filter((rules) => rules.untilAcknowledged).map((rules) => rules.pauseSeconds)),
  ],
  TOCSIN_CALL_AGAIN: ({ callAgain }) => callAgain,
  TOCSIN_CALL_CAP: ({ cap }) => cap ?? null,
  TOCSIN_SITE_NAME: ({ wording }) => wording.siteName,
  TOCSIN_LAST_RESORT_GROUP: ({ lastResortGroupId }) => lastResortGroupId ?? null,
};

/** Returns the settings of the environment that differ from the stored policy. */
export function overruledSettings(given: readonly SettingName[], settings: CallSettings, stored: PolicySettings) {
  const wanted = policyFrom(settings);
  return given.filter((name) => {
    const say = said[name];
    return say !== undefined && JSON.stringify(say(wanted)) !== JSON.stringify(say(stored));
  });
}
