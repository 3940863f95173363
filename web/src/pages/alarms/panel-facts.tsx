// What to know and to do about an alarm: its consequence, instructions, place and attached files.

import type { Beacon, FullAlarm, Location } from '@tocsin/client';
import type { ReactElement } from 'react';
import { IconFileText } from '../../components/icons.tsx';
import { linesOf, plainText } from '../../components/plain-text.ts';
import { readFile } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './panel-facts.module.css';

export function PanelFacts({ alarm }: { readonly alarm: FullAlarm }): ReactElement | null {
  const words = useWords().panel;
  const files = [...new Set([alarm.attachedFile, alarm.resetAttachedFile, alarm.ackAttachedFile])].filter(
    (name) => name !== '',
  );
  const facts = [
    [words.ifIgnored, given(alarm.consequence)],
    [words.whatToDo, given(alarm.instructions)],
    [words.where, placeText(alarm.location)],
    [words.attached, files.length === 0 ? undefined : files.map((name) => <Attached key={name} name={name} />)],
  ] as const;
  const shown = facts.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function given(text: string): string | undefined {
  return text === '' ? undefined : linesOf(text);
}

/** The zone, then the beacons, then the coordinates; no map. */
function placeText(location: Location | undefined): string | undefined {
  if (location === undefined) return undefined;
  const { zone, beaconList = [], latitude, longitude, horizontalAccuracy } = location;
  const coordinates =
    latitude === undefined || longitude === undefined
      ? undefined
      : `${latitude}, ${longitude}${horizontalAccuracy === undefined ? '' : ` ± ${horizontalAccuracy} m`}`;
  const parts = [zone, ...beaconList.map(beaconText), coordinates].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : plainText(parts.join(' · '));
}

function beaconText({ name, id, type, accuracy }: Beacon): string {
  const distance = accuracy === undefined ? '' : ` ± ${accuracy} m`;
  return `${name ?? id ?? ''}${type === undefined ? '' : ` (${type})`}${distance}`;
}

function Attached({ name }: { readonly name: string }): ReactElement {
  const open = async (): Promise<void> => {
    const file = await readFile(`/api/v1/media/${encodeURIComponent(name)}`);
    window.open(URL.createObjectURL(file), '_blank', 'noopener');
  };
  return (
    <button type="button" className={styles.file} onClick={() => void open()}>
      <IconFileText size={15} stroke={1.75} /> {plainText(name)}
    </button>
  );
}
