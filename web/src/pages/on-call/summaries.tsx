// Below the plan: hours of each person, the next hand-overs, and the changes in the period.

import { type JournalEntry, listJournal, type OnCallSlot } from '@tocsin/client';
import type { ReactElement, ReactNode } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useTeams } from '../../data/directory.ts';
import type { Read } from '../../data/lists/read.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNames } from '../../data/names.ts';
import { useHasRight, useIdentity } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { columnDateText, hoursText, shortTimeText, soonText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { changeKindOf, namesOnDuty } from './duty-texts.ts';
import { type DutySide, handOversOf } from './plan/hand-overs.ts';
import { hoursOf } from './plan/hours.ts';
import type { PlanView } from './plan/period.ts';
import styles from './summaries.module.css';
import type { ReadPlan } from './use-plan.ts';

const mostPeople = 8;
const mostRows = 6;

type SummariesProps = { readonly plan: ReadPlan; readonly view: PlanView };

export function Summaries({ plan, view }: SummariesProps): ReactElement {
  return (
    <div className={styles.cards}>
      <Hours plan={plan} view={view} />
      <HandOvers plan={plan} />
      <Changes plan={plan} />
    </div>
  );
}

type CardProps = { readonly title: string; readonly note?: string; readonly children: ReactNode };

function Card({ title, note, children }: CardProps): ReactElement {
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note === undefined ? null : <span>{note}</span>}
      </header>
      {children}
    </section>
  );
}

function Hours({ plan, view }: SummariesProps): ReactElement {
  const words = useWords().onCall.summary;
  const clock = usePlantClock();
  const { byId } = useNames();
  const people = hoursOf(
    plan.groups.map((group) => group.plan),
    plan.period,
    clock.timeZone,
  );
  const most = Math.max(1, ...people.map(({ ms }) => ms));
  return (
    <Card title={words[view]} note={words.hours}>
      {people.length === 0 ? <p className={styles.none}>{words.noDuty}</p> : null}
      <ul>
        {people.slice(0, mostPeople).map(({ userId, ms, nightMs }) => (
          <li key={userId} className={styles.person}>
            <Avatar name={byId(userId)} />
            <span className={styles.name}>{byId(userId)}</span>
            <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.days} width={(ms / most) * 100} height="10" rx="1" />
              <rect className={styles.nights} width={(nightMs / most) * 100} height="10" rx="1" />
            </svg>
            <span className="figures" title={words.nights(hoursText(clock, ms), hoursText(clock, nightMs))}>
              {hoursText(clock, ms)}
              <span className="unseen">{words.nights('', hoursText(clock, nightMs))}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function HandOvers({ plan }: { readonly plan: ReadPlan }): ReactElement {
  const words = useWords().onCall.summary;
  const clock = usePlantClock();
  const now = useNow();
  const { byId } = useNames();
  const shown = new Set(plan.groups.map((group) => group.plan.callGroupId));
  const handOvers = plan.coming.map((coming) =>
    handOversOf(
      coming.filter(({ callGroupId }) => shown.has(callGroupId)),
      now,
      mostRows,
    ),
  );
  const side = ({ userIds, isLocked }: DutySide): string => {
    if (isLocked) return words.locked;
    return userIds.length === 0 ? words.nobody : userIds.map(byId).join(', ');
  };
  return (
    <Card title={words.handOvers}>
      <ListNote state={handOvers.state} />
      {handOvers.isKnown(({ length }) => length === 0) ? <p className={styles.none}>{words.noHandOvers}</p> : null}
      <ul>
        {handOvers
          .choices((all) => all)
          .map(({ at, callGroupId, group, before, after }) => (
            <li key={`${at}-${callGroupId}`} className={styles.handOver}>
              <b className="figures">{soonText(clock, at, now)}</b>
              <span className={styles.group}>{group}</span>
              <span className={styles.sides}>
                <span data-nobody={isEmpty(before) ? '' : undefined}>{side(before)}</span> →{' '}
                <span data-nobody={isEmpty(after) ? '' : undefined}>{side(after)}</span>
              </span>
            </li>
          ))}
      </ul>
    </Card>
  );
}

function isEmpty({ userIds, isLocked }: DutySide): boolean {
  return !isLocked && userIds.length === 0;
}

type Change = { readonly key: string; readonly at: number; readonly text: string; readonly kind: ChangeKind };
type ChangeKind = ReturnType<typeof changeKindOf> | 'edit';

function Changes({ plan }: { readonly plan: ReadPlan }): ReactElement {
  const words = useWords().onCall.summary;
  const clock = usePlantClock();
  const describe = useDescribe();
  const edits = useEdits();
  const seen = new Set<number>();
  const changes = plan.groups.flatMap(({ plan: { slots, name } }) =>
    slots.flatMap((slot): Change[] => {
      const at = Date.parse(slot.from);
      const isShown = at < plan.period.to && Date.parse(slot.to) > plan.period.from;
      if (slot.overrideId === null || !isShown || seen.has(slot.overrideId)) return [];
      seen.add(slot.overrideId);
      return [{ key: `override-${slot.overrideId}`, at, text: describe(slot, name), kind: changeKindOf(slot) }];
    }),
  );
  const rows = edits.map((all) => [...changes.toSorted((one, other) => one.at - other.at), ...all].slice(0, mostRows));
  return (
    <Card title={words.changes}>
      <ListNote state={rows.state} />
      {rows.isKnown(({ length }) => length === 0) ? <p className={styles.none}>{words.noChanges}</p> : null}
      <ul>
        {rows
          .choices((all) => all)
          .map(({ key, at, text, kind }) => (
            <li key={key} className={styles.change}>
              <span className={`${styles.group} figures`}>
                {columnDateText(clock, at)} {shortTimeText(clock, at)}
              </span>
              <span className={styles.sides} title={text}>
                {text}
              </span>
              <span className={styles.tag}>{words.kind[kind]}</span>
            </li>
          ))}
      </ul>
    </Card>
  );
}

/** `Bo for Ana, Pumps`. */
function useDescribe(): (slot: OnCallSlot, group: string) => string {
  const words = useWords().onCall.summary;
  const names = useNames();
  const teams = useTeams();
  return (slot, group) => {
    if (slot.locked) return words.closed(group, plainText(slot.reason));
    const who = namesOnDuty(slot, names);
    const replaced = teams
      .choices((all) => all.get(slot.replaces?.teamId ?? 0)?.members ?? [])
      .filter(({ relief }) => !relief);
    const other = replaced.map(({ userId }) => names.byId(userId)).join(', ');
    return other === '' ? words.has(who, group) : words.instead(who, other, group);
  };
}

const monthMs = 30 * 86_400_000;

/** Changes of teams of the last month, for those who may read the journal. */
function useEdits(): Read<readonly Change[]> {
  const words = useWords().onCall.summary;
  const { byName } = useNames();
  const identity = useIdentity();
  const mayRead = useHasRight('audit:read');
  const edits = useRead({
    queryKey: ['journal', 'team.changed'],
    queryFn: () => listJournal({ kind: 'team.changed', limit: 3, $from: new Date(Date.now() - monthMs).toISOString() }),
    enabled: mayRead,
  });
  const nameOf = ({ after, before, subject = '' }: JournalEntry): string =>
    plainText(String(after?.name ?? before?.name ?? subject));
  if (!mayRead) return identity.map(() => []);
  return edits.map(({ items }) =>
    items.map((entry) => ({
      key: `edit-${entry.id}`,
      at: Date.parse(entry.time),
      text: words.edited(byName(entry.actor), nameOf(entry)),
      kind: 'edit',
    })),
  );
}
