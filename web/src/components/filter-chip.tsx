// Chips for filters: one that chooses from a list, and one that says what was chosen and removes it.

import type { ReactElement } from 'react';
import { useWords } from '../words/use-words.ts';
import styles from './filter-chip.module.css';
import { IconX } from './icons.tsx';

type ChoiceProps = {
  readonly name: string;
  readonly value: number | undefined;
  readonly options: Iterable<{ readonly id: number; readonly name: string }> | undefined;
  readonly onChange: (id: number | undefined) => void;
};

/** A chip over a native list, which every keyboard, reader and phone knows. */
export function FilterChoice({ name, value, options = [], onChange }: ChoiceProps): ReactElement {
  const words = useWords().alarms;
  const all = [...options];
  if (value !== undefined) {
    const chosen = all.find(({ id }) => id === value)?.name ?? `#${value}`;
    return <FilterChip name={name} value={chosen} onRemove={() => onChange(undefined)} />;
  }
  return (
    <label className={styles.chip}>
      {name} <b>{words.any}</b>
      <select
        className={styles.native}
        aria-label={name}
        value=""
        onChange={(event) => onChange(Number(event.target.value) || undefined)}
      >
        <option value="">{words.any}</option>
        {all.map(({ id, name: optionName }) => (
          <option key={id} value={id}>
            {optionName}
          </option>
        ))}
      </select>
    </label>
  );
}

type ChipProps = { readonly name: string; readonly value: string; readonly onRemove: () => void };

export function FilterChip({ name, value, onRemove }: ChipProps): ReactElement {
  const words = useWords().alarms;
  return (
    <span className={styles.chip}>
      {name} <b className="isolate">{value}</b>
      <button type="button" aria-label={words.removeFilter(name)} onClick={onRemove}>
        <IconX size={14} stroke={2} />
      </button>
    </span>
  );
}
