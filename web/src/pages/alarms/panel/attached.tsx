// A file attached to an alarm: a picture as a thumb, a sound that is played here, anything else in a new tab.

import { type ReactElement, useEffect, useState } from 'react';
import { IconFileText, IconVolume } from '../../../components/icons.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { useRead } from '../../../data/lists/use-read.ts';
import { readFile, reasonOf } from '../../../data/server.ts';
import styles from './panel-facts.module.css';

const pictures = /\.(png|jpe?g|gif|webp|bmp)$/i;
const sounds = /\.(wav|mp3|ogg|opus|flac|m4a)$/i;

function read(name: string): Promise<Blob> {
  return readFile(`/api/v1/media/${encodeURIComponent(name)}`);
}

export function Attached({ name }: { readonly name: string }): ReactElement {
  const [trouble, setTrouble] = useState('');
  const isSound = sounds.test(name);
  const open = async (): Promise<void> => {
    setTrouble('');
    try {
      const url = URL.createObjectURL(await read(name));
      if (isSound) await new Audio(url).play();
      else window.open(url, '_blank', 'noopener');
    } catch (error) {
      setTrouble(reasonOf(error));
    }
  };
  const Icon = isSound ? IconVolume : IconFileText;
  return (
    <button type="button" className={styles.file} onClick={() => void open()}>
      {pictures.test(name) ? <Thumb name={name} /> : <Icon size={15} stroke={1.75} />} {plainText(name)}
      {trouble === '' ? null : (
        <span className={styles.trouble} role="alert">
          {plainText(trouble)}
        </span>
      )}
    </button>
  );
}

function Thumb({ name }: { readonly name: string }): ReactElement | null {
  const file = useRead({ queryKey: ['media-file', name], queryFn: () => read(name), staleTime: 300_000 });
  const [url, setUrl] = useState('');
  useEffect(() => {
    return file.when({
      unread: () => undefined,
      known: (blob) => {
        const made = URL.createObjectURL(blob);
        setUrl(made);
        return () => URL.revokeObjectURL(made);
      },
    });
  }, [file]);
  return url === '' ? null : <img className={styles.thumb} src={url} alt="" />;
}
