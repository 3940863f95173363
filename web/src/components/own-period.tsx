// A period from a time to a time, both of the plant's clock, or one of the last nights.

import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { useNow } from '../data/time/now.ts';
import { lastNights, type Period, type PeriodSearch, searchOf } from '../data/time/period.ts';
import { usePlantClock } from '../data/time/plant-clock.ts';
import { fieldText, instantOfField } from '../data/time/zone-time.ts';
import { columnDateText, zoneText } from '../words/times.ts';
import { useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';
import formStyles from './form.module.css';
import styles from './own-period.module.css';

/** The same day of last week is among them. */
const nightsOffered = 8;

type OwnPeriodProps = { readonly period: Period; readonly onChange: (search: PeriodSearch) => void };

export function OwnPeriod({ period, onChange }: OwnPeriodProps): ReactElement {
  const words = useWords().period;
  const clock = usePlantClock();
  const { timeZone } = clock;
  const hint = useId();
  const [from, setFrom] = useState(() => fieldText(period.from, timeZone));
  const [to, setTo] = useState(() => fieldText(period.to, timeZone));
  const [fromMs, toMs] = [instantOfField(from, timeZone), instantOfField(to, timeZone)];
  const own = fromMs !== undefined && toMs !== undefined && fromMs < toMs ? { from: fromMs, to: toMs } : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (own !== undefined) onChange(searchOf(own));
  };
  const fields = [
    [words.from, from, setFrom],
    [words.to, to, setTo],
  ] as const;
  return (
    <form className={styles.own} onSubmit={submit}>
      <Nights {...{ period, onChange }} />
      {fields.map(([name, value, set]) => (
        <label key={name} className={styles.field}>
          {name}
          <input
            type="datetime-local"
            value={value}
            aria-describedby={hint}
            onChange={(event) => set(event.target.value)}
          />
        </label>
      ))}
      <p id={hint} className={own === undefined ? styles.wrong : styles.hint}>
        {own === undefined ? words.wrong : words.zone(zoneText(clock, period.to))}
      </p>
      <Button type="submit" blocked={own === undefined ? words.wrong : undefined}>
        {words.apply}
      </Button>
    </form>
  );
}

/** The last nights, each by the day on which it began. */
function Nights({ period, onChange }: OwnPeriodProps): ReactElement {
  const words = useWords().period;
  const clock = usePlantClock();
  return (
    <fieldset className={styles.nights}>
      <legend>{words.nights}</legend>
      <div className={formStyles.chips}>
        {lastNights(useNow(), nightsOffered, clock.timeZone).map((night) => (
          <button
            key={night.from}
            type="button"
            aria-pressed={night.from === period.from && night.to === period.to}
            onClick={() => onChange(searchOf(night))}
          >
            {columnDateText(clock, night.from)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
