// The banner: counts per priority, the newest urgent alarm, the rate, who is on call, sound, link and clock.

import { Link } from '@tanstack/react-router';
import type { GroupOnDuty } from '@tocsin/client';
import { type ReactElement, useMemo, useState } from 'react';
import { callingText } from '../components/calling-text.ts';
import { IconEyeOff } from '../components/icons.tsx';
import { type Hue, Mark, SystemMark } from '../components/mark.tsx';
import { shortText } from '../components/short-text.ts';
import { type AlarmView, useAlarmViews } from '../data/alarm-views.tsx';
import { failureOf, figureOf, hasFigures, type ListState, unknownFigure } from '../data/lists/list-state.ts';
import { both, type Read } from '../data/lists/read.ts';
import { useNames } from '../data/names.ts';
import { useOnCallNow, useReadiness } from '../data/on-call.ts';
import { useIdentity, useOwnId } from '../data/rights.ts';
import { useNow } from '../data/time/now.ts';
import { usePlantClock } from '../data/time/plant-clock.ts';
import { isBlind } from '../data/trouble.ts';
import { useLinkHealth, useLive, useTroubles } from '../data/use-live.ts';
import { ageText, dateText, durationText, soonText, timeText, waitText, zoneText } from '../words/times.ts';
import { useWords } from '../words/use-words.ts';
import styles from './banner.module.css';
import { Rate } from './rate.tsx';
import { SoundButton } from './sound/sound-button.tsx';
import { useClockDifference } from './use-clock-difference.ts';

export function Banner(): ReactElement {
  const alarms = useAlarmViews();
  const { alarmList } = useLive();
  return (
    <header className={styles.banner}>
      <OwnDuty />
      <Counts alarms={alarms} list={alarmList} />
      <Newest alarms={alarms} />
      <NewPriority1 alarms={alarms} />
      <Rate />
      <OnCallNow />
      <Masked alarms={alarms} list={alarmList} />
      <LinkHealthText />
      <ClockText />
    </header>
  );
}

const hues: readonly { readonly hue: Hue; readonly priority: number; readonly system: boolean }[] = [
  { hue: 'p1', priority: 1, system: false },
  { hue: 'p2', priority: 2, system: false },
  { hue: 'p3', priority: 3, system: false },
  { hue: 'p4', priority: 4, system: false },
  { hue: 'sys', priority: 1, system: true },
];

type Counted = { all: number; unacknowledged: number; active: number };
const none: Counted = { all: 0, unacknowledged: 0, active: 0 };

/** In one pass: the banner is drawn anew each second, over all alarms of a plant. */
function countsByHue(alarms: readonly AlarmView[]): ReadonlyMap<Hue, Counted> {
  const counted = new Map<Hue, Counted>(hues.map(({ hue }) => [hue, { ...none }]));
  for (const { hue, state, masked } of alarms) {
    const of = counted.get(hue);
    if (masked || of === undefined) continue;
    of.all++;
    if ((state & 2) !== 0) of.unacknowledged++;
    if ((state & 1) !== 0) of.active++;
  }
  return counted;
}

/** Of those that nobody has acknowledged, the newest of the highest priority. */
function mostUrgent(alarms: readonly AlarmView[]): AlarmView | undefined {
  let urgent: AlarmView | undefined;
  for (const alarm of alarms) {
    if (alarm.state !== 3 || alarm.masked) continue;
    const isMore =
      urgent === undefined ||
      alarm.priority < urgent.priority ||
      (alarm.priority === urgent.priority && alarm.raisedAt > urgent.raisedAt);
    if (isMore) urgent = alarm;
  }
  return urgent;
}

type CountsProps = { readonly alarms: readonly AlarmView[]; readonly list: ListState };

function Counts({ alarms, list }: CountsProps): ReactElement {
  const words = useWords();
  const counted = useMemo(() => countsByHue(alarms), [alarms]);
  return (
    <ul className={styles.counts}>
      {hues.map(({ hue, priority, system }) => {
        const { all, unacknowledged, active } = counted.get(hue) ?? none;
        const name = system ? words.mark.system : words.mark.priority(priority);
        return (
          <li key={hue}>
            <Link to="/alarms" search={{ priority: hue }} className={styles.count ?? ''}>
              <span className="unseen">
                {hasFigures(list) ? words.banner.counts(name, unacknowledged, active) : words.lists.unknownCounts(name)}
              </span>
              <Mark
                {...{ priority, system }}
                state={unacknowledged > 0 ? 3 : 1}
                masked={false}
                size={25}
                isEmpty={all === 0}
                isDecorative
              />
              <span className={`${styles.unacknowledged} figures`} aria-hidden="true">
                {figureOf(list, unacknowledged)}
              </span>
              <span className={`${styles.activeCount} figures`} aria-hidden="true">
                / {figureOf(list, active)}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function Newest({ alarms }: { readonly alarms: readonly AlarmView[] }): ReactElement {
  const words = useWords();
  const names = useNames();
  const now = useNow();
  const { quietForMs = 0 } = useLinkHealth();
  const troubles = useTroubles();
  const { alarmList, areCallsKnown } = useLive();
  const urgent = useMemo(() => mostUrgent(alarms), [alarms]);
  if (urgent === undefined) {
    const calm = alarms.length === 0 ? words.banner.calm : words.banner.noUrgent;
    const text = alarmList.kind === 'read' ? calm(ageText(quietForMs)) : words.lists[unreadText(alarmList)];
    const blind = isBlind(troubles) ? troubles[0] : undefined;
    return <div className={styles.calm}>{blind === undefined ? text : words.trouble.link[blind.kind]}</div>;
  }
  const calling = callingText(urgent, words, { names, now, areCallsKnown });
  const facts = [words.banner.newest, words.banner.ago(ageText(now - urgent.raisedAt)), urgent.station, calling?.text];
  return (
    <Link to="/alarms" search={{ id: urgent.id }} className={styles.newest ?? ''}>
      <Mark {...urgent} size={25} />
      <span className={styles.newestText}>
        <span className={`${styles.newestMessage} isolate`}>{shortText(urgent.text)}</span>
        <span className={styles.newestFacts}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
    </Link>
  );
}

/** What is said of alarms that are not known. */
function unreadText(list: ListState): 'reading' | 'alarmsFailed' {
  return failureOf(list) === undefined ? 'reading' : 'alarmsFailed';
}

/** Tells those who listen of a new alarm of priority 1 at once, on every screen. */
function NewPriority1({ alarms }: { readonly alarms: readonly AlarmView[] }): ReactElement {
  const words = useWords().alarms;
  const [since] = useState(Date.now);
  const newest = alarms
    .filter(({ hue, state, masked, raisedAt }) => hue === 'p1' && state === 3 && !masked && raisedAt > since)
    .toSorted((a, b) => b.raisedAt - a.raisedAt)[0];
  return (
    <p className="unseen" aria-live="assertive">
      {newest === undefined ? '' : `${words.newPriority1}: ${shortText(newest.text)}`}
    </p>
  );
}

/** How many groups have their names in the banner; the rest is a number. */
const mostGroups = 3;
const mostGroupsNarrow = 2;
const wideScreen = matchMedia('(min-width: 1600px)');

/** Groups of which nobody can be reached come first, then those with somebody who cannot be reached, then one's own. */
function useUrgentGroups(): Read<readonly GroupOnDuty[]> {
  const onCall = useOnCallNow();
  const unready = useReadiness().choices(({ items }) => items);
  const userId = useOwnId();
  const rank = (group: GroupOnDuty): number => {
    const wrong = unready.find(({ callGroupId }) => callGroupId === group.callGroupId);
    if (!isCovered(group)) return 0;
    if (wrong !== undefined && wrong.reasons.length > 0 && !group.locked) return wrong.reachable ? 2 : 1;
    return group.members.some((member) => member.userId === userId) ? 3 : 4;
  };
  return onCall.map(({ items }) => items.toSorted((one, other) => rank(one) - rank(other)));
}

function OnCallNow(): ReactElement {
  const words = useWords();
  const urgent = useUrgentGroups();
  const groups = urgent.choices((all) => all);
  const most = wideScreen.matches ? mostGroups : mostGroupsNarrow;
  return (
    <Link to="/oncall" search={{}} className={styles.onCall ?? ''}>
      {groups.length === 0 ? (
        <span className={styles.group}>
          <span className={styles.caption}>{words.banner.onCall}</span>
          <span>{urgent.figure(() => words.banner.noGroups)}</span>
        </span>
      ) : null}
      {groups.slice(0, most).map((group) => (
        <GroupNow key={group.callGroupId} group={group} />
      ))}
      {urgent.isKnown(({ length }) => length > most) ? (
        <span className={styles.caption}>{urgent.figure(({ length }) => words.banner.more(length - most))}</span>
      ) : null}
    </Link>
  );
}

/** On a phone: whether its owner is on call, for which groups and until when. */
function OwnDuty(): ReactElement {
  const words = useWords().banner;
  const clock = usePlantClock();
  const now = useNow();
  const text = both(useIdentity(), useOnCallNow()).name(([{ userId }, { items }]) => {
    const own = items.filter(
      ({ locked, members }) => !locked && members.some((member) => member.userId === userId && !member.relief),
    );
    if (own.length === 0) return words.notOnDuty;
    const ends = own.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
    const until = ends.length === 0 ? '' : soonText(clock, Math.min(...ends), now);
    return words.onDuty(own.map(({ name }) => name).join(', '), until);
  }, `${words.onCall} ${unknownFigure}`);
  return <div className={styles.ownDuty}>{text}</div>;
}

function isCovered({ members, locked }: GroupOnDuty): boolean {
  return locked || members.some(({ relief }) => !relief);
}

function GroupNow({ group }: { readonly group: GroupOnDuty }): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const names = group.members.filter(({ relief }) => !relief).map(({ userId }) => byId(userId));
  return (
    <span className={styles.group}>
      <span className={styles.caption}>{group.name}</span>
      {isCovered(group) ? (
        <span className={styles.people}>{group.locked ? words.banner.locked : names.join(', ')}</span>
      ) : (
        <span className={styles.nobody}>
          <SystemMark size={11} /> {words.banner.nobody}
        </span>
      )}
    </span>
  );
}

function Masked({ alarms, list }: CountsProps): ReactElement {
  const words = useWords();
  const count = alarms.filter(({ masked }) => masked).length;
  return (
    <div className={styles.controls}>
      <Link
        to="/alarms"
        search={{ state: 'masked' }}
        className={styles.masked ?? ''}
        aria-label={hasFigures(list) ? words.banner.masked(count) : words.lists.unknownCounts(words.alarms.masked)}
      >
        <IconEyeOff size={18} stroke={1.75} />
        <span className="figures">{figureOf(list, count)}</span>
      </Link>
      <SoundButton />
    </div>
  );
}

function LinkHealthText(): ReactElement {
  const words = useWords();
  const { link } = useLive();
  const { quietForMs } = useLinkHealth();
  // A link that is cut is not live, also before its quiet is long enough to be told as a trouble.
  const isConnecting = quietForMs === undefined || link.kind !== 'live';
  const [trouble] = useTroubles();
  const name =
    trouble !== undefined
      ? words.trouble.link[trouble.kind]
      : isConnecting
        ? words.banner.connecting
        : words.banner.live;
  return (
    <div
      className={`${styles.link} ${trouble === undefined ? '' : styles.stale}`}
      data-link={link.kind}
      data-trouble={trouble?.kind}
    >
      <span className={styles.linkName}>{name}</span>
      <span className="figures">{quietForMs === undefined ? '' : waitText(quietForMs)}</span>
    </div>
  );
}

function ClockText(): ReactElement {
  const words = useWords().banner;
  const now = useNow();
  const clock = usePlantClock();
  const wrongBy = useClockDifference();
  return (
    <div className={styles.clock}>
      <span className={`${styles.time} figures`}>{timeText(clock, now)}</span>
      {wrongBy === undefined ? (
        <span className={styles.caption}>
          {dateText(clock, now)} · {zoneText(clock, now)}
        </span>
      ) : (
        <span className={styles.wrongClock} title={words.wrongClockMeans}>
          {wrongBy > 0 ? words.fast(durationText(wrongBy)) : words.slow(durationText(-wrongBy))}
        </span>
      )}
    </div>
  );
}
