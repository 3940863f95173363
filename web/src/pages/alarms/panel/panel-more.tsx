// What is rarely done with an alarm: reset it, call somebody about it, remove it.

import { useNavigate } from '@tanstack/react-router';
import { deleteAlarm, type FullAlarm, resetAlarm } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Dropdown, DropdownItem } from '../../../components/dropdown.tsx';
import { IconPhonePlus, IconRefresh, IconTrash } from '../../../components/icons.tsx';
import { shortText } from '../../../components/short-text.ts';
import { useRights } from '../../../data/rights.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-actions.module.css';
import type { Run } from './panel-actions.tsx';

type MoreProps = { readonly alarm: FullAlarm; readonly run: Run };

export function PanelMore({ alarm, run }: MoreProps): ReactElement {
  const words = useWords().actions;
  const { blockedBy } = useRights();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const text = alarm.message || alarm.localizedName;
  const isLatched = !alarm.eventCondition.resettable && (alarm.state & 1) !== 0;
  const isUntaken = (alarm.state & 2) !== 0 && !alarm.masked;
  return (
    <>
      <Dropdown name={words.more}>
        {(close) => (
          <>
            {isLatched && blockedBy('alarms:ack') === undefined ? (
              <DropdownItem
                icon={IconRefresh}
                onClick={() => {
                  close();
                  void run(() => resetAlarm(alarm.id));
                }}
              >
                {words.reset}
              </DropdownItem>
            ) : null}
            <DropdownItem icon={IconPhonePlus} onClick={() => void navigate({ to: '/calls', search: { about: text } })}>
              {words.callSomebody}
            </DropdownItem>
            {blockedBy('alarms:mask') === undefined ? (
              <DropdownItem
                icon={IconTrash}
                onClick={() => {
                  close();
                  setRemoving(true);
                }}
              >
                {words.remove}
              </DropdownItem>
            ) : null}
          </>
        )}
      </Dropdown>
      {isRemoving ? (
        <Dialog title={words.removeTitle} intro={words.removeMeans} onClose={() => setRemoving(false)}>
          <p className="isolate">{shortText(text)}</p>
          <footer className={styles.comment}>
            <Button keyCap="Esc" onClick={() => setRemoving(false)}>
              {words.cancel}
            </Button>
            <Button
              kind="ink"
              blocked={blockedBy('alarms:mask') ?? (isUntaken ? words.removeUntaken : undefined)}
              onClick={() => {
                setRemoving(false);
                void run(() => deleteAlarm(alarm.id));
              }}
            >
              {words.removeNow}
            </Button>
          </footer>
        </Dialog>
      ) : null}
    </>
  );
}
