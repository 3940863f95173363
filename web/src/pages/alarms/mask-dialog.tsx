// The mask dialog: what is masked, for how long and why; what is refused stays in it with its reason.

import { maskAlarms } from '@tocsin/client';
import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Mark } from '../../components/mark.tsx';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useSite } from '../../data/directory.ts';
import { useNow } from '../../data/now.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { refusalsOf } from '../../data/refusals.ts';
import { useRights } from '../../data/rights.ts';
import { dateTimeText, zoneText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './mask-dialog.module.css';

type MaskDialogProps = { readonly alarms: readonly AlarmView[]; readonly onClose: () => void };

const choices = [30, 60, 240, 480, 1440] as const;
const defaultMaskHours = 168;

export function MaskDialog({ alarms, onClose }: MaskDialogProps): ReactElement {
  const words = useWords();
  const now = useNow();
  const [minutes, setMinutes] = useState<number>(240);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const { run, refused, isBusy } = useMask(onClose);
  const { blockedBy } = useRights();
  const untilMs = until === '' ? now + minutes * 60_000 : Date.parse(until);
  const blocked = blockedBy('alarms:mask') ?? (reason.trim() === '' ? words.mask.needsReason : undefined);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (blocked === undefined && !isBusy) void run(alarms, new Date(untilMs).toISOString(), reason.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  const duration = until === '' ? durationText(minutes, words.mask) : words.mask.until;
  return (
    <Dialog title={words.mask.title(alarms.length)} intro={words.mask.means} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} onKeyDown={onKeyDown}>
        <MaskedAlarms alarms={alarms} refused={refused} />
        <HowLong {...{ minutes, setMinutes, until, setUntil, untilMs }} />
        <Why reason={reason} setReason={setReason} />
        <footer className={styles.foot}>
          <span className={styles.hint}>{words.mask.again}</span>
          <Button keyCap="Esc" onClick={onClose}>
            {words.actions.cancel}
          </Button>
          <Button type="submit" kind="ink" keyCap="⌘↵" blocked={isBusy ? '' : blocked}>
            {words.mask.action(alarms.length, duration)}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function useMask(onDone: () => void) {
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const run = async (alarms: readonly AlarmView[], until: string, reason: string): Promise<void> => {
    setBusy(true);
    const left = alarms.map(({ id }) => id).filter((id) => refused.size === 0 || refused.has(id));
    const found = await refusalsOf(left, maskAlarms({ ids: left, until, reason }));
    setBusy(false);
    setRefused(new Map(found.map(({ id, reason: why }) => [id, why])));
    if (found.length === 0) onDone();
  };
  return { run, refused, isBusy };
}

type MaskedProps = { readonly alarms: readonly AlarmView[]; readonly refused: ReadonlyMap<number, string> };

function MaskedAlarms({ alarms, refused }: MaskedProps): ReactElement {
  const words = useWords().mask;
  return (
    <ul className={styles.alarms}>
      {alarms.map((alarm) => (
        <li key={alarm.id}>
          <Mark {...alarm} size={20} />
          <span className={styles.name}>
            <b className="isolate">{alarm.text}</b> {alarm.station}
            {refused.has(alarm.id) ? <span className={styles.refused}>{refused.get(alarm.id)}</span> : null}
          </span>
          {alarm.openCalls.length > 0 ? <span className={styles.hint}>{words.callsEnd}</span> : null}
        </li>
      ))}
    </ul>
  );
}

type HowLongProps = {
  readonly minutes: number;
  readonly setMinutes: (minutes: number) => void;
  readonly until: string;
  readonly setUntil: (until: string) => void;
  readonly untilMs: number;
};

function HowLong({ minutes, setMinutes, until, setUntil, untilMs }: HowLongProps): ReactElement {
  const words = useWords().mask;
  const clock = usePlantClock();
  const most = useSite().data?.maskHours ?? defaultMaskHours;
  const choose = (chosen: number): void => {
    setMinutes(chosen);
    setUntil('');
  };
  return (
    <fieldset className={styles.field}>
      <legend>{words.howLong}</legend>
      <div className={styles.choices}>
        {choices.map((choice) => (
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
      <p className={styles.hint}>
        {Number.isNaN(untilMs) ? '' : words.ends(`${dateTimeText(clock, untilMs)} ${zoneText(clock, untilMs)}`)}{' '}
        {words.most(most)}
      </p>
    </fieldset>
  );
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
      {/* biome-ignore lint/a11y/noAutofocus: the dialog was opened to say why */}
      <input className={styles.reason} value={reason} onChange={(event) => setReason(event.target.value)} autoFocus />
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
