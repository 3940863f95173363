// The search of a list; `/` puts the cursor into it.

import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { useWords } from '../words/use-words.ts';
import { KeyCap } from './button.tsx';
import { IconSearch } from './icons.tsx';
import { isForScreen } from './keys.ts';
import styles from './search-field.module.css';

type SearchProps = {
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
};

export function SearchField({ value = '', onChange }: SearchProps): ReactElement {
  const words = useWords().alarms;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isForScreen(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <label className={styles.search}>
      <IconSearch size={16} stroke={1.75} />
      <input
        ref={field}
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        value={value}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <KeyCap>/</KeyCap>
    </label>
  );
}
