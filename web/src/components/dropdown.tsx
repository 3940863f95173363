// A button that opens a small panel below itself; Escape and a click elsewhere close it.

import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './dropdown.module.css';
import { type Icon, IconChevronDown } from './icons.tsx';

type DropdownProps = {
  readonly name: string;
  readonly icon?: Icon;
  readonly isChosen?: boolean;
  /** As one of several tabs, without an edge of its own. */
  readonly isTab?: boolean;
  readonly children: (close: () => void) => ReactNode;
};

export function Dropdown({ name, icon: Shown, isChosen, isTab, children }: DropdownProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPointerDown = (event: PointerEvent): void => {
      if (!(event.target instanceof Node && place.current?.contains(event.target))) setOpen(false);
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  const look = `${styles.button} ${isTab ? styles.tab : ''} ${isChosen ? styles.chosen : ''}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel wherever in it the focus is
    <div ref={place} className={styles.place} onKeyDown={onKeyDown}>
      <button ref={button} type="button" className={look} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {Shown === undefined ? null : <Shown size={16} stroke={1.75} />}
        {name}
        <IconChevronDown size={14} stroke={1.75} />
      </button>
      {isOpen ? <div className={styles.panel}>{children(close)}</div> : null}
    </div>
  );
}

type ItemProps = {
  readonly children: ReactNode;
  readonly icon?: Icon;
  readonly isChosen?: boolean;
  readonly onClick: () => void;
};

export function DropdownItem({ children, icon: Shown, isChosen, onClick }: ItemProps): ReactElement {
  return (
    <button type="button" className={styles.item} aria-pressed={isChosen} onClick={onClick}>
      {Shown === undefined ? null : <Shown size={16} stroke={1.75} />}
      {children}
    </button>
  );
}
