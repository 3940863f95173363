// The keys of every screen: `g` and a letter goes to a screen, `?` opens the help, Ctrl K the command palette.

import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { isForScreen } from '../components/keys.ts';
import { screens } from './screens.ts';

/** How long the second key may take. */
const chordMs = 1_500;
/** Not 0, which is when the page was opened: a key pressed soon after that is not the second one. */
const never = Number.NEGATIVE_INFINITY;

export function useScreenKeys(open: (what: 'palette' | 'help') => void): void {
  const navigate = useNavigate();
  const goPressedAt = useRef(never);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey) && document.querySelector('dialog[open]') === null) {
        event.preventDefault();
        open('palette');
      }
      if (!isForScreen(event)) return;
      const isSecond = event.timeStamp - goPressedAt.current < chordMs;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : never;
      if (event.key === '?') open('help');
      const screen = isSecond ? screens.find(({ key }) => key === event.key) : undefined;
      if (screen === undefined) return;
      // The letter is the second key of a chord, and not an action of the screen.
      event.stopImmediatePropagation();
      void navigate({ to: screen.path });
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate, open]);
}
