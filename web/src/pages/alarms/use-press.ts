// What the pointer goes down on is what is clicked, also when a bar above moves the list before the button is up.

import { type PointerEvent, useRef } from 'react';

/** A pointer that is moved further takes the press back. */
const awayPx = 8;

type Press = { readonly x: number; readonly y: number; readonly on: Element; readonly pointerId: number };

export function usePress() {
  const press = useRef<Press>(undefined);
  return {
    down: ({ target, clientX: x, clientY: y, pointerId, pointerType }: PointerEvent): void => {
      const on = target instanceof Element ? (target.closest('input') ?? target.closest('[role=row]')) : null;
      // A finger holds what it touches by itself.
      if (on === null || pointerType !== 'mouse') return;
      on.setPointerCapture(pointerId);
      press.current = { x, y, on, pointerId };
    },
    move: ({ clientX, clientY }: PointerEvent): void => {
      if (press.current === undefined) return;
      const { x, y, on, pointerId } = press.current;
      if (Math.hypot(clientX - x, clientY - y) <= awayPx) return;
      press.current = undefined;
      if (on.hasPointerCapture(pointerId)) on.releasePointerCapture(pointerId);
    },
    up: (): void => {
      press.current = undefined;
    },
  };
}
