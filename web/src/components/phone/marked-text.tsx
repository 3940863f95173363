// What Tocsin says or writes about an alarm: with the mark of the alarm before it, and codes to reply set off.

import { Fragment, type ReactElement } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { Mark } from '../mark.tsx';
import { linesOf } from '../plain-text.ts';

export function MarkedText({ text }: { readonly text: string }): ReactElement {
  const alarm = useAlarmViews().find((one) => one.text !== '' && text.includes(one.text));
  return (
    <>
      {alarm === undefined ? null : (
        <>
          <Mark {...alarm} state={3} size={14} isPlain />{' '}
        </>
      )}
      {withCodes(linesOf(text))}
    </>
  );
}

/** A code to reply is four digits that stand alone. */
function withCodes(text: string): readonly ReactElement[] {
  return text
    .split(/\b(\d{4})\b/)
    .map((part, index) => ({ part, index }))
    .map(({ part, index }) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
}
