// What a person can do with a simulated phone, by its buttons and by keyboard: Enter answers, digits are keys, Escape hangs up.

import { hangUpPhone } from '@tocsin/client';
import type { KeyboardEvent, RefObject } from 'react';
import { useRights } from '../../data/rights.ts';
import { isField } from '../keys.ts';
import type { PhoneState } from './phone-state.ts';
import { type Spoken, useConversation } from './use-conversation.ts';
import { usePhoneAction } from './use-phone-action.ts';

export const phoneKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

export type PhoneControl = {
  readonly phone: PhoneState;
  readonly spoken: readonly Spoken[];
  readonly answer: () => void;
  readonly press: (key: string) => void;
  readonly hangUp: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly trouble: string;
  /** Why nothing can be done with it; undefined if it can. */
  readonly blocked: string | undefined;
};

/** `element` is the phone, which keeps the focus when the button that was pressed goes. */
export function usePhoneControl(phone: PhoneState, element: RefObject<HTMLElement | null>): PhoneControl {
  const { run, trouble } = usePhoneAction();
  const { spoken, answer, press } = useConversation(phone);
  const blocked = useRights().blockedBy('calls:send');
  const act = (action: () => Promise<unknown>): void => {
    if (blocked !== undefined) return;
    element.current?.focus();
    void run(action);
  };
  const control = {
    answer: () => act(answer),
    press: (key: string) => act(() => press(key)),
    hangUp: () => act(() => hangUpPhone(phone.userId)),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isField(event.target) || phone.kind === 'rest' || phone.kind === 'text') return;
    const isOnPhone = event.target === element.current;
    if (event.key === 'Escape') control.hangUp();
    else if (event.key === 'Enter' && isOnPhone && phone.kind === 'ringing') control.answer();
    else if (phone.kind === 'inCall' && phoneKeys.some((key) => key === event.key)) control.press(event.key);
    else return;
    event.preventDefault();
  };
  return { phone, spoken, ...control, onKeyDown, trouble, blocked };
}
