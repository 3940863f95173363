// The mask dialog: what is masked, for how long and why; what is refused stays in it with its reason.

import { type MaskBody, maskAlarms } from '@tocsin/client';
import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { commandKey } from '../../../components/keys.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { useSite } from '../../../data/directory.ts';
import { refusalsOf } from '../../../data/refusals.ts';
import { useRights } from '../../../data/rights.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { instantOfField } from '../../../data/time/zone-time.ts';
import { dateTimeText, soonText, zoneText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import type { Words } from '../../../words/words.ts';
import styles from './mask-dialog.module.css';
import { MeantAlarms } from './meant-alarms.tsx';

type MaskDialogProps = {
  readonly alarms: readonly AlarmView[];
  /** Leaves out those that are not meant any more when it is sent. */
  readonly narrow: (ids: readonly number[]) => readonly number[];
  readonly onClose: () => void;
};

const choices = [30, 60, 240, 480, 1440] as const;
const defaultMaskHours = 168;

export function MaskDialog({ alarms, narrow, onClose }: MaskDialogProps): ReactElement {
  const words = useWords();
  const now = useNow();
  const [minutes, setMinutes] = useState<number>(240);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const { run, refused, isBusy } = useMask(narrow, onClose);
  const { blockedBy } = useRights();
  const clock = usePlantClock();
  const most = useSite().when({
    known: ({ maskHours = defaultMaskHours }) => maskHours,
    unread: () => defaultMaskHours,
  });
  // A time that is chosen is one of the plant's clock, wherever this browser is.
  const untilMs = until === '' ? now + minutes * 60_000 : instantOfField(until, clock.timeZone);
  const wrong = untilMs === undefined ? '' : wrongEnd(untilMs - now, most, words.mask);
  const blocked =
    blockedBy('alarms:mask') ?? (wrong === '' && untilMs !== undefined ? undefined : wrong || words.mask.until);
  const missing = reason.trim() === '' ? words.mask.needsReason : undefined;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (blocked !== undefined || missing !== undefined || untilMs === undefined || isBusy) return;
    // The server reckons the end of a length: the clock of this machine may be wrong.
    const length = until === '' ? { minutes } : { until: new Date(untilMs).toISOString() };
    void run(alarms, { ...length, reason: reason.trim() });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  const end = untilMs === undefined ? '' : soonText(clock, untilMs, now);
  const action =
    until === ''
      ? words.mask.action(alarms.length, durationText(minutes, words.mask))
      : words.mask.actionUntil(alarms.length, end);
  return (
    <Dialog title={words.mask.title(alarms.length)} intro={words.mask.means(alarms.length)} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} onKeyDown={onKeyDown}>
        <MeantAlarms alarms={alarms} refused={refused} callsEnd={words.mask.callsEnd} />
        <HowLong {...{ minutes, setMinutes, until, setUntil, untilMs, most, wrong }} />
        <Why reason={reason} setReason={setReason} />
        <footer className={styles.foot}>
          <span className={styles.hint}>{words.mask.again}</span>
          <Button keyCap="Esc" onClick={onClose}>
            {words.actions.cancel}
          </Button>
          <Button type="submit" kind="ink" keyCap={`${commandKey}↵`} blocked={isBusy ? '' : (blocked ?? missing)}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function useMask(narrow: MaskDialogProps['narrow'], onDone: () => void) {
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const run = async (alarms: readonly AlarmView[], mask: MaskBody): Promise<void> => {
    setBusy(true);
    const left = alarms.map(({ id }) => id).filter((id) => refused.size === 0 || refused.has(id));
    const found = await refusalsOf(narrow(left), (ids) => maskAlarms({ ids, ...mask }));
    setBusy(false);
    setRefused(new Map(found.map(({ id, reason: why }) => [id, why])));
    if (found.length === 0) onDone();
  };
  return { run, refused, isBusy };
}

type HowLongProps = {
  readonly minutes: number;
  readonly setMinutes: (minutes: number) => void;
  readonly until: string;
  readonly setUntil: (until: string) => void;
  readonly untilMs: number | undefined;
  /** The longest mask that is allowed, in hours. */
  readonly most: number;
  /** Why the end cannot be taken; empty if it can. */
  readonly wrong: string;
};

function HowLong({ minutes, setMinutes, until, setUntil, untilMs, most, wrong }: HowLongProps): ReactElement {
  const words = useWords().mask;
  const clock = usePlantClock();
  const choose = (chosen: number): void => {
    setMinutes(chosen);
    setUntil('');
  };
  return (
    <fieldset className={styles.field}>
      <legend>{words.howLong}</legend>
      <div className={styles.choices}>
        {choices
          .filter((choice) => choice <= most * 60)
          .map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={until === '' && minutes === choice}
              onClick={() => choose(choice)}
            >
              {durationText(choice, words)}
            </button>
          ))}
        <label data-pressed={until !== ''} className={styles.until}>
          {words.until}
          <input
            type="datetime-local"
            value={until}
            aria-label={words.until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </label>
      </div>
      <p className={wrong === '' ? styles.hint : styles.refused} role="status">
        {untilMs === undefined ? '' : words.ends(`${dateTimeText(clock, untilMs)} ${zoneText(clock, untilMs)}`)}{' '}
        {wrong === '' ? words.most(most) : wrong}
      </p>
    </fieldset>
  );
}

const hourMs = 3_600_000;

function wrongEnd(lastsMs: number, most: number, words: Words['mask']): string {
  if (lastsMs <= 0) return words.past;
  return lastsMs > most * hourMs ? words.most(most) : '';
}

type Durations = { readonly minutes: (count: number) => string; readonly hours: (count: number) => string };

function durationText(minutes: number, words: Durations): string {
  return minutes < 60 ? words.minutes(minutes) : words.hours(minutes / 60);
}

function Why({
  reason,
  setReason,
}: {
  readonly reason: string;
  readonly setReason: (text: string) => void;
}): ReactElement {
  const words = useWords().mask;
  return (
    <label className={styles.field}>
      <span>
        <b>{words.why}</b> <span className={styles.hint}>— {words.whyMeans}</span>
      </span>
      <input className={styles.reason} value={reason} onChange={(event) => setReason(event.target.value)} data-first />
      <span className={styles.reasons}>
        {words.reasons.map((common) => (
          <button key={common} type="button" onClick={() => setReason(common)}>
            {common}
          </button>
        ))}
      </span>
    </label>
  );
}
