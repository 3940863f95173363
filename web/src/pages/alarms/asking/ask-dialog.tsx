// The dialog that asks about alarms before something is done with them.

import { type ReactElement, useRef } from 'react';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import type { SelectionCommands } from '../use-selection-commands.ts';
import { type Asking, stillMeant } from './asking.ts';
import { CommentDialog } from './comment-dialog.tsx';
import { MaskDialog } from './mask-dialog.tsx';
import { UnmaskDialog } from './unmask-dialog.tsx';

type AskDialogProps = {
  readonly asked: Asking;
  readonly alarms: readonly AlarmView[];
  /** Those that the filter leaves now. */
  readonly matching: readonly AlarmView[];
  readonly commands: Pick<SelectionCommands, 'acknowledge' | 'unmask'>;
  readonly onClose: () => void;
};

/** The alarms are those of the moment it was opened: one that leaves the list meanwhile stays in the dialog. */
export function AskDialog({ asked, alarms, matching, commands, onClose }: AskDialogProps): ReactElement | null {
  const shown = useRef<readonly AlarmView[]>([]);
  if (shown.current.length === 0) shown.current = alarms.filter(({ id }) => asked.ids.includes(id));
  if (shown.current.length === 0) return null;
  const common = {
    alarms: shown.current,
    narrow: (ids: readonly number[]) => stillMeant(ids, asked, matching),
    onClose,
  };
  if (asked.what === 'mask') return <MaskDialog {...common} />;
  if (asked.what === 'unmask') return <UnmaskDialog {...common} unmask={commands.unmask} />;
  return (
    <CommentDialog
      {...common}
      {...(asked.what !== 'comment' && { acknowledge: commands.acknowledge })}
      isCommentOptional={asked.what === 'confirm'}
    />
  );
}
