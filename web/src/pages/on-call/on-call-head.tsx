// The head of the on-call screen: period, search, and what can be done.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import {
  IconCalendarShare,
  IconChevronLeft,
  IconChevronRight,
  IconSpeakerphone,
  IconX,
} from '../../components/icons.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useRights } from '../../data/rights.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { daysText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { useOwnDuties } from './give-dialog.tsx';
import type { OpenDialog } from './on-call-dialogs.tsx';
import styles from './on-call-head.module.css';
import type { OnCallSearch } from './on-call-search.ts';
import { dateName, planViews, shifted, weekNumber } from './plan/period.ts';
import { manyGroups, type Plan } from './use-plan.ts';

type OnCallHeadProps = {
  readonly search: OnCallSearch;
  readonly change: (search: OnCallSearch) => void;
  readonly plan: Plan;
  readonly isPhone: boolean;
  readonly openDialog: (dialog: OpenDialog) => void;
};

export function OnCallHead({ search, change, plan, isPhone, openDialog }: OnCallHeadProps): ReactElement {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const { blockedBy } = useRights();
  const hasDuty = useOwnDuties(plan).length > 0;
  const { from, to } = plan.period;
  const title = [
    search.view === 'day' ? '' : words.week(weekNumber(from, clock.timeZone)),
    daysText(clock, from, to),
    clock.timeZone,
  ];
  return (
    <header className={styles.head}>
      <h1>{words.title}</h1>
      <p className={styles.period}>{title.filter(Boolean).join(' · ')}</p>
      <Narrowing {...{ search, change, plan }} />
      <div className={styles.actions}>
        {isPhone ? null : <PeriodChoice {...{ search, change, plan }} />}
        <Button icon={IconCalendarShare} blocked={blockedBy('admin')} onClick={() => openDialog({ kind: 'calendar' })}>
          {words.calendarLink}
        </Button>
        <Button icon={IconSpeakerphone} blocked={blockedBy('calls:send')} onClick={() => openDialog({ kind: 'drill' })}>
          {words.drill}
        </Button>
        {hasDuty ? (
          <Button keyCap="H" blocked={blockedBy('directory:write')} onClick={() => openDialog({ kind: 'give' })}>
            {words.give}
          </Button>
        ) : null}
        <Button
          kind="ink"
          keyCap="T"
          blocked={blockedBy('alarms:ack')}
          onClick={() => openDialog({ kind: 'take', callGroupId: search.group })}
        >
          {words.take}
        </Button>
      </div>
    </header>
  );
}

type ChoiceProps = Pick<OnCallHeadProps, 'search' | 'change' | 'plan'>;

function PeriodChoice({ search, change, plan }: ChoiceProps): ReactElement {
  const words = useWords().onCall;
  const { timeZone } = usePlantClock();
  const { view = 'week', date: _, ...rest } = search;
  const { view: __, ...withoutView } = search;
  const go = (count: number) => () =>
    change({ ...search, date: dateName(shifted(view, plan.period.from, count, timeZone), timeZone) });
  const today = { ...rest, ...(view === 'week' ? {} : { view }) };
  return (
    <>
      <div className={styles.joined}>
        <button type="button" aria-label={words.earlier} title={words.earlier} onClick={go(-1)}>
          <IconChevronLeft size={16} />
        </button>
        <button type="button" onClick={() => change(today)}>
          {words.today}
        </button>
        <button type="button" aria-label={words.later} title={words.later} onClick={go(1)}>
          <IconChevronRight size={16} />
        </button>
      </div>
      <div className={styles.joined} role="group" aria-label={words.view}>
        {planViews.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => change(one === 'week' ? withoutView : { ...search, view: one })}
          >
            {words.views[one]}
          </button>
        ))}
      </div>
    </>
  );
}

/** Search among many groups, and the way back from a single one. */
function Narrowing({ search, change, plan }: ChoiceProps): ReactElement | null {
  const words = useWords().onCall;
  if (search.group !== undefined) {
    const { group: _, ...rest } = search;
    const name = plan.shown.name(({ groups }) => groups[0]?.plan.name, `#${search.group}`);
    return (
      <button type="button" className={styles.chip} onClick={() => change(rest)} title={words.allGroups}>
        {words.onlyGroup(name)} <IconX size={14} />
      </button>
    );
  }
  if (!plan.shown.isKnown(({ total }) => total >= manyGroups)) return null;
  const { q, ...rest } = search;
  return <SearchField value={q} onChange={(found) => change(found === undefined ? rest : { ...rest, q: found })} />;
}
