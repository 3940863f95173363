// Chips for filters: one that chooses from a list, and one that says what was chosen and removes it.

import type { ReactElement } from 'react';
import type { Read } from '../data/lists/read.ts';
import { useWords } from '../words/use-words.ts';
import styles from './filter-chip.module.css';
import { IconPlus, IconX } from './icons.tsx';

type Option = { readonly id: number; readonly name: string };
/** Where they come from the server, those that are known. */
type Options = Read<Iterable<Option>>;

type ChoiceProps = {
  readonly name: string;
  readonly value: number | undefined;
  readonly options: Options;
  readonly onChange: (id: number | undefined) => void;
};

/** Chooses one of a kind. */
export function FilterChoice({ name, value, options, onChange }: ChoiceProps): ReactElement {
  const ids = value === undefined ? [] : [value];
  return <Chooser {...{ name, ids, options }} onChoose={onChange} onClear={() => onChange(undefined)} />;
}

type IdsProps = {
  readonly name: string;
  readonly ids: readonly number[];
  readonly options: Options;
  readonly onChange: (ids: readonly number[]) => void;
};

/** Chooses several of a kind, one after the other. */
export function FilterIds({ name, ids, options, onChange }: IdsProps): ReactElement {
  const toggle = (id: number): void => onChange(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  return <Chooser {...{ name, ids, options }} onChoose={toggle} onClear={() => onChange([])} />;
}

type ChooserProps = {
  readonly name: string;
  readonly ids: readonly number[];
  readonly options: Options;
  readonly onChoose: (id: number) => void;
  readonly onClear: () => void;
};

/** A chip over a native list, which every keyboard, reader and phone knows. */
function Chooser({ name, ids, options, onChoose, onClear }: ChooserProps): ReactElement {
  const { alarms: words, lists } = useWords();
  const all = options.choices((known) => known);
  const chosen = ids.map((id) => all.find((option) => option.id === id)?.name ?? `#${id}`).join(', ');
  return (
    <span className={styles.chip}>
      {name} <b className="isolate">{chosen || words.any}</b>
      <select
        className={styles.native}
        aria-label={name}
        value=""
        onChange={(event) => {
          if (event.target.value !== '') onChoose(Number(event.target.value));
        }}
      >
        <option value="">{chosen || words.any}</option>
        {options.isKnown() ? null : <option disabled>{lists.reading}</option>}
        {all.map((option) => (
          <option key={option.id} value={option.id}>
            {ids.includes(option.id) ? `✓ ${option.name}` : option.name}
          </option>
        ))}
      </select>
      {ids.length === 0 ? null : <RemoveButton name={name} onRemove={onClear} />}
    </span>
  );
}

type ChipProps = { readonly name: string; readonly value: string; readonly onRemove: () => void };

export function FilterChip({ name, value, onRemove }: ChipProps): ReactElement {
  return (
    <span className={styles.chip}>
      {name} <b className="isolate">{value}</b>
      <RemoveButton {...{ name, onRemove }} />
    </span>
  );
}

function RemoveButton({ name, onRemove }: Pick<ChipProps, 'name' | 'onRemove'>): ReactElement {
  const words = useWords().alarms;
  return (
    <button type="button" aria-label={words.removeFilter(name)} onClick={onRemove}>
      <IconX size={14} stroke={2} />
    </button>
  );
}

type MoreProps = {
  readonly kinds: readonly { readonly key: string; readonly name: string }[];
  readonly onAdd: (key: string) => void;
};

/** Offers further kinds of filters. */
export function MoreFilters({ kinds, onAdd }: MoreProps): ReactElement | null {
  const words = useWords().alarms;
  if (kinds.length === 0) return null;
  return (
    <span className={`${styles.chip} ${styles.more}`}>
      <IconPlus size={14} stroke={2} /> {words.filter}
      <select
        className={styles.native}
        aria-label={words.filter}
        value=""
        onChange={(event) => onAdd(event.target.value)}
      >
        <option value="">{words.filter}</option>
        {kinds.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
