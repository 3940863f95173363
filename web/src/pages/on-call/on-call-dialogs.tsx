// The dialogs of the on-call screen, one at a time.

import type { ReactElement } from 'react';
import { DrillDialog } from '../../components/contact/drill-dialog.tsx';
import { CalendarDialog } from './calendar-dialog.tsx';
import { GiveDialog } from './give-dialog.tsx';
import { SwapDialog } from './swap-dialog.tsx';
import { TakeDialog } from './take-dialog.tsx';
import type { Plan } from './use-plan.ts';

type Span = { readonly from: number; readonly to: number };

export type OpenDialog =
  /** Without a group the dialog asks for it; without a span it is from now to the next hand-over. */
  | { readonly kind: 'take'; readonly callGroupId?: number | undefined; readonly span?: Span | undefined }
  | { readonly kind: 'swap'; readonly callGroupId: number; readonly span: Span }
  | { readonly kind: 'give' | 'drill' | 'calendar' };

type DialogsProps = { readonly open: OpenDialog; readonly plan: Plan; readonly onClose: () => void };

export function OnCallDialogs({ open, plan, onClose }: DialogsProps): ReactElement {
  switch (open.kind) {
    case 'take':
      return <TakeDialog plan={plan} callGroupId={open.callGroupId} span={open.span} onClose={onClose} />;
    case 'swap':
      return <SwapDialog plan={plan} callGroupId={open.callGroupId} span={open.span} onClose={onClose} />;
    case 'give':
      return <GiveDialog plan={plan} onClose={onClose} />;
    case 'drill':
      return <DrillDialog onClose={onClose} />;
    case 'calendar':
      return <CalendarDialog onClose={onClose} />;
  }
}
