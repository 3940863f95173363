// Tells people in writing that they come on or go off duty, if the call policy says so: once, by whichever node looks first.

import { defaultPriority } from '../../../domain/alarms/definition.ts';
import { isSpoken } from '../../../domain/calls/delivery.ts';
import { isUsable } from '../../../domain/calls/usable-numbers.ts';
import { mark, withoutMarks } from '../../../domain/calls/words/stored-text.ts';
import { languageOf } from '../../../domain/calls/words/wording.ts';
import { dutyOfGroups, type HandOver, handOversBetween, type KnownDuty } from '../../../domain/on-call/hand-over.ts';
import type { ContactNumber } from '../../../domain/people/person.ts';
import { setMeta } from '../../../store/meta.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { getPeopleVersion } from '../../people/version.ts';
import { getCivilTime } from '../../system/reference-time.ts';
import { insertCauses } from '../engine/rows/escalation-rows.ts';

/** Who was on duty at the last look; missing while hand-overs are not told. */
type LastLook = {
  readonly duty: KnownDuty;
  /** When it was, in civil time; absent in those of earlier versions. */
  readonly at?: Instant;
  /** The next hand-over by a schedule, in civil time, and the version of the people data from which it was found. */
  readonly next: Instant | null;
  readonly version: number;
};

/** A hand-over that is months away is not known yet. */
const lookAgainMs = 30 * 86_400_000;

const lookKey = 'known_duty';

const selectLook = statement((db) => db.selectFrom('meta').select('value').where('key', '=', lookKey));
const removeLook = statement((db) => db.deleteFrom('meta').where('key', '=', lookKey));

async function readLook(tx: ReadTx): Promise<LastLook | undefined> {
  const text = (await tx.one(selectLook, {}))?.value;
  return text === undefined ? undefined : (JSON.parse(text) as LastLook);
}

/** Whether a schedule may have handed over since the last look, or people data has changed. */
export const isHandOverDue: Query<{ readonly now: Instant }, boolean> = {
  name: 'is-hand-over-due',
  isQuick: true,
  async run(tx, { now }) {
    const { policy } = await readCallConfiguration(tx);
    const look = await readLook(tx);
    if (!policy.tellsHandOvers) return look !== undefined;
    if (look === undefined || look.version !== (await getPeopleVersion.run(tx, {}))) return true;
    const civil = await getCivilTime.run(tx, { now });
    // The clock may have been set back since, to before a hand-over.
    if (civil < (look.at ?? civil)) return true;
    return look.next !== null && look.next <= civil;
  },
};

/** Looks who is on duty, and adds notices for those who came or went since the last look; the first look adds none. */
export const noteHandOvers: Operation<Record<string, never>, number> = {
  name: 'note-hand-overs',
  async run(tx, now) {
    const configuration = await readCallConfiguration(tx);
    if (!configuration.policy.tellsHandOvers) {
      await tx.run(removeLook, {});
      return 0;
    }
    const before = await readLook(tx);
    const civil = await getCivilTime.run(tx, { now });
    const { duty, until } = dutyOfGroups(configuration.snapshot, civil);
    const handOvers = before === undefined ? [] : handOversBetween(before.duty, duty);
    const at = { now, civil };
    for (const handOver of handOvers) await addNotice(tx, at, handOver, configuration, until.get(handOver.groupId));
    const next = until.size === 0 ? null : Math.min(...until.values(), civil + lookAgainMs);
    const look: LastLook = { duty, at: civil, next, version: await getPeopleVersion.run(tx, {}) };
    await setMeta(tx, lookKey, JSON.stringify(look));
    return handOvers.length;
  },
};

/** Adds the notice to the first number that can be written to; nobody is called up for it. */
async function addNotice(
  tx: Tx,
  { now, civil }: { readonly now: Instant; readonly civil: Instant },
  { groupId, userId, isOn }: HandOver,
  configuration: CallConfiguration,
  until: Instant | undefined,
): Promise<void> {
  const { snapshot, policy } = configuration;
  const [person, group] = [snapshot.people.get(userId), snapshot.groups.get(groupId)];
  const isWritten = ({ channel }: ContactNumber): boolean =>
    !isSpoken(channel) && (policy.channels === 'all' || policy.channels.includes(channel));
  const number = person?.numbers.find((one) => isWritten(one) && isUsable(one, { snapshot, policy }, civil));
  if (group === undefined || number === undefined) return;
  const name = withoutMarks(group.names[languageOf(person, policy.wording)] ?? group.name);
  const end = until === undefined || until === Number.POSITIVE_INFINITY ? '' : ` ${mark.until(until)}`;
  const text = isOn ? `${mark.onDuty}${name}${end}` : `${mark.offDuty}${name}`;
  await insertCauses(tx, [
    {
      kind: 'handOver',
      list: isOn ? 'on' : 'off',
      target_kind: 'number',
      target_id: number.id,
      station_id: group.stationId,
      alarm_id: null,
      history_id: null,
      message_id: null,
      priority: defaultPriority,
      is_transitory: 0,
      text,
      short_text: text,
      created_at: now,
      due_at: now,
      origin: null,
    },
  ]);
}
