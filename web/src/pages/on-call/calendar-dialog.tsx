// Makes a link by which a calendar program reads the duty of a group or of oneself; its key is shown once.

import { createApiKey } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { IconCopy } from '../../components/icons.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useCallGroups } from '../../data/directory.ts';
import { useOwnId, useRights } from '../../data/rights.ts';
import { basePath } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';

const yearMs = 365 * 86_400_000;

export function CalendarDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords().onCall;
  const groups = useCallGroups().choices((all) => all.values());
  const userId = useOwnId();
  const { blockedBy } = useRights();
  const [link, setLink] = useState('');
  const { onSubmit, trouble } = useSubmit(async (form) => {
    const path = String(form.get('of'));
    const { token } = await createApiKey({
      name: `${words.calendarLink} ${path}`,
      scopes: ['calendar:read'],
      expiryTime: new Date(Date.now() + yearMs).toISOString(),
    });
    setLink(`${location.origin}${basePath}/api/v1/${path}/calendar.ics?key=${encodeURIComponent(token)}`);
  });
  return (
    <Dialog title={words.calendarLink} intro={words.calendar.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit}>
        {link === '' ? (
          <label className={styles.field}>
            {words.calendar.of}
            <select name="of" required data-first="">
              {groups.map(({ id, name }) => (
                <option key={id} value={`callgroups/${id}`}>
                  {name}
                </option>
              ))}
              {userId === undefined ? null : <option value={`users/${userId}`}>{words.calendar.ownDuty}</option>}
            </select>
          </label>
        ) : (
          <MadeLink link={link} />
        )}
        <DialogFoot
          action={words.calendar.make}
          news={link === '' ? undefined : words.calendar.once}
          blocked={blockedBy('admin')}
          {...{ onClose, trouble }}
        />
      </form>
    </Dialog>
  );
}

function MadeLink({ link }: { readonly link: string }): ReactElement {
  const words = useWords().onCall.calendar;
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link);
    setCopied(true);
  };
  return (
    <>
      <label className={styles.field}>
        {words.link}
        <input className="mono" readOnly value={link} onFocus={(event) => event.target.select()} />
      </label>
      <Button icon={IconCopy} onClick={() => void copy()}>
        {isCopied ? words.copied : words.copy}
      </Button>
    </>
  );
}
