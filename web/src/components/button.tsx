// A button with its key, and the reason why it cannot be used.

import type { ReactElement, ReactNode } from 'react';
import styles from './button.module.css';
import type { Icon } from './icons.tsx';

type ButtonProps = {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  /** `ink` is the one primary action of a screen. */
  readonly kind?: 'ink' | 'plain' | 'quiet';
  readonly icon?: Icon;
  readonly keyCap?: string;
  /** Why it cannot be used now; undefined if it can. */
  readonly blocked?: string | undefined;
  readonly isWide?: boolean;
  readonly isTall?: boolean;
  readonly type?: 'button' | 'submit';
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly autoFocus?: boolean;
};

export function Button(props: ButtonProps): ReactElement {
  const { children, onClick, kind = 'plain', icon: Shown, keyCap, blocked, isWide, isTall, type = 'button' } = props;
  const classes = [styles.button, styles[kind], isWide ? styles.wide : '', isTall ? styles.tall : ''].join(' ');
  return (
    <button
      type={type}
      className={classes}
      onClick={onClick}
      disabled={blocked !== undefined}
      title={blocked}
      aria-label={props.label}
      aria-pressed={props.isPressed}
      // biome-ignore lint/a11y/noAutofocus: the first step of a screen has the focus, so that Enter starts it
      autoFocus={props.autoFocus}
    >
      {Shown === undefined ? null : <Shown size={16} stroke={1.75} />}
      {children}
      {keyCap === undefined ? null : <KeyCap>{keyCap}</KeyCap>}
    </button>
  );
}

export function KeyCap({ children }: { readonly children: string }): ReactElement {
  return <kbd className={styles.keyCap}>{children}</kbd>;
}

type IconButtonProps = {
  readonly icon: Icon;
  readonly label: string;
  readonly onClick?: () => void;
  readonly blocked?: string | undefined;
  readonly isPressed?: boolean;
};

export function IconButton({ icon: Shown, label, onClick, blocked, isPressed }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={styles.iconButton}
      onClick={onClick}
      disabled={blocked !== undefined}
      title={blocked ?? label}
      aria-label={label}
      aria-pressed={isPressed}
    >
      <Shown size={18} stroke={1.75} />
    </button>
  );
}
