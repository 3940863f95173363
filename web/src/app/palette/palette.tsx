// The command palette: one field over alarms, actions and places.

import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { KeyCap } from '../../components/button.tsx';
import { IconSearch } from '../../components/icons.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { hasFigures } from '../../data/lists/list-state.ts';
import { reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './palette.module.css';
import type { PaletteItem, Section } from './palette-items.ts';
import { usePaletteItems } from './use-palette-items.ts';

const sections: readonly Section[] = ['alarms', 'do', 'goTo'];

type PaletteProps = {
  readonly onClose: () => void;
  /** Tells why what was chosen before could not be done. */
  readonly onRefused: (reason: string) => void;
  readonly refusal: string;
};

export function Palette({ onClose, onRefused, refusal }: PaletteProps): ReactElement {
  const words = useWords().palette;
  const element = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const { items, state } = usePaletteItems(query);
  const chosen = Math.min(place, items.length - 1);
  useEffect(() => {
    if (!element.current?.open) element.current?.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  /** Closes at once, so that the next key is for the screen; it comes back only to say that something was refused. */
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined || item.blocked !== undefined) return;
    element.current?.close();
    Promise.resolve(item.run()).catch((error) => onRefused(reasonOf(error)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((chosen + step + items.length) % items.length);
    else if (event.key === 'Enter') run(items[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={element} className={styles.palette} onClose={onClose} aria-label={words.title}>
      <div className={styles.field}>
        <IconSearch size={20} stroke={1.75} />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={items.length === 0 ? undefined : `palette-${chosen}`}
          aria-label={words.title}
          placeholder={words.hint}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
        <KeyCap>Esc</KeyCap>
      </div>
      {refusal === '' ? null : (
        <p className={styles.trouble} role="alert">
          {refusal}
        </p>
      )}
      <div id="palette-list" className={styles.list} role="listbox" aria-label={words.title}>
        {sections.map((section) => (
          <Items key={section} {...{ section, items, chosen, setPlace, run }} />
        ))}
        <ListNote state={state} />
        {items.length === 0 && hasFigures(state) ? <p className={styles.none}>{words.nothing}</p> : null}
      </div>
    </dialog>
  );
}

type ItemsProps = {
  readonly section: Section;
  readonly items: readonly PaletteItem[];
  readonly chosen: number;
  readonly setPlace: (place: number) => void;
  readonly run: (item: PaletteItem) => void;
};

function Items({ section, items, chosen, setPlace, run }: ItemsProps): ReactElement | null {
  const words = useWords().palette;
  const own = items.map((item, place) => ({ item, place })).filter(({ item }) => item.section === section);
  if (own.length === 0) return null;
  return (
    <div role="group" aria-label={words.sections[section]}>
      <p className={styles.section} aria-hidden="true">
        {words.sections[section]}
      </p>
      {own.map(({ item, place }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
        <div
          key={item.key}
          id={`palette-${place}`}
          role="option"
          tabIndex={-1}
          className={styles.item}
          aria-selected={place === chosen}
          aria-disabled={item.blocked !== undefined}
          title={item.blocked}
          onPointerMove={() => setPlace(place)}
          onClick={() => run(item)}
        >
          {'mark' in item.look ? <Mark {...item.look.mark} size={20} /> : <item.look.icon size={18} stroke={1.75} />}
          <span className={`${styles.text} isolate`}>{plainText(item.text)}</span>
          {item.detail === undefined ? null : <span className={styles.detail}>{plainText(item.detail)}</span>}
          {place === chosen ? <KeyCap>↵</KeyCap> : item.keyCap === undefined ? null : <KeyCap>{item.keyCap}</KeyCap>}
        </div>
      ))}
    </div>
  );
}
