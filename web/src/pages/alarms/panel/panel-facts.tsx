// What to know and to do about an alarm: its mask, consequence, instructions, place and attached files.

import type { Beacon, FullAlarm, Location } from '@tocsin/client';
import type { ReactElement } from 'react';
import { linesOf, plainText } from '../../../components/plain-text.ts';
import { useNames } from '../../../data/names.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { ageText, dateTimeText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import { Attached } from './attached.tsx';
import styles from './panel-facts.module.css';

export function PanelFacts({ alarm }: { readonly alarm: FullAlarm }): ReactElement | null {
  const words = useWords();
  const { panel } = words;
  const now = useNow();
  const mask = useMaskText(alarm);
  const files = [...new Set([alarm.attachedFile, alarm.resetAttachedFile, alarm.ackAttachedFile])].filter(
    (name) => name !== '',
  );
  const facts = [
    [words.alarms.masked, mask],
    [panel.ifIgnored, given(alarm.consequence)],
    [panel.whatToDo, given(alarm.instructions)],
    [panel.where, placeText(alarm.location, (at) => words.banner.ago(ageText(now - at)))],
    [panel.attached, files.length === 0 ? undefined : files.map((name) => <Attached key={name} name={name} />)],
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

/** Until when it is masked, by whom and why. */
function useMaskText({ masked, maskedUntil, maskedBy = '', maskReason = '' }: FullAlarm): string | undefined {
  const words = useWords();
  const clock = usePlantClock();
  const { byName } = useNames();
  if (!masked) return undefined;
  const end = maskedUntil === undefined ? '' : words.panel.until(dateTimeText(clock, Date.parse(maskedUntil)));
  const by = maskedBy === '' ? '' : words.timeline.by(byName(maskedBy));
  return [end, plainText(maskReason), by].filter((part) => part !== '').join(' · ');
}

/** The zone, then the beacons, then the coordinates, and how old they are; no map. */
function placeText(location: Location | undefined, ago: (at: number) => string): string | undefined {
  if (location === undefined) return undefined;
  const { zone, beaconList = [], latitude, longitude, horizontalAccuracy, date } = location;
  const age = date === undefined ? undefined : ago(Date.parse(date));
  const coordinates =
    latitude === undefined || longitude === undefined
      ? undefined
      : `${latitude}, ${longitude}${horizontalAccuracy === undefined ? '' : ` ± ${horizontalAccuracy} m`}`;
  const parts = [zone, ...beaconList.map(beaconText), coordinates].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : plainText([...parts, age].filter(Boolean).join(' · '));
}

function beaconText({ name, id, type, accuracy }: Beacon): string {
  const distance = accuracy === undefined ? '' : ` ± ${accuracy} m`;
  return `${name ?? id ?? ''}${type === undefined ? '' : ` (${type})`}${distance}`;
}
