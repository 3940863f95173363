// Carries out what happens on a random day besides calling: alarms, operators, changes of the directory, outages.

import { rulesFor } from './directory.ts';
import { directoryAfter } from './directory-changes.ts';
import type { Phones } from './phones.ts';
import type { AlarmChange, Happening } from './random-day.ts';
import type { Site } from './site.ts';

export function happen(happening: Happening, site: Site, phones: Phones): void {
  switch (happening.kind) {
    case 'raise': {
      const { priority, asks, targets, delayMs } = happening;
      site.raise(priority, asks, targets, delayMs);
      return;
    }
    case 'take':
    case 'mask':
    case 'return':
    case 'escalate':
    case 'priority':
      changeAlarm(happening, site);
      return;
    case 'provider':
      phones.setProvider(happening.providerId, happening.isUp, happening.noticedAfterMs);
      return;
    case 'node':
      phones.setNode(happening.isUp);
      return;
    case 'restart':
      phones.restart();
      return;
    case 'policy':
      site.changePolicy(happening.policy);
      return;
    case 'clock':
      site.stepClock(happening.byMs);
      site.noteChannels();
      return;
    case 'lock-number': {
      const number = site.snapshot.people.get(happening.userId)?.numbers[happening.place];
      if (number !== undefined) site.lock(number.id, site.now + 15 * 60_000);
      return;
    }
    default: {
      const changes = directoryAfter(happening, site.snapshot, site.civil);
      if (changes !== undefined) site.changeDirectory(changes);
    }
  }
}

function changeAlarm(happening: AlarmChange, site: Site): void {
  const open = site.openCauses.filter(({ asks }) => asks);
  // A flapping priority stays with its alarm, as long as that is open.
  const all = [...site.causes.values()];
  const same = all[happening.pick % Math.max(1, all.length)];
  const cause = happening.kind === 'priority' && same?.asks ? same : open[happening.pick % Math.max(1, open.length)];
  if (cause === undefined || cause.ended !== undefined) return;
  switch (happening.kind) {
    case 'take':
      site.endCause(cause.id, { code: 'taken', by: 'operator' });
      return;
    case 'mask':
      site.endCause(cause.id, { code: 'masked', by: 'operator' });
      return;
    case 'escalate':
      site.escalateByHand(cause.id);
      return;
    case 'priority':
      site.change(cause.id, happening.priority);
      return;
    case 'return': {
      const isDelayed = site.escalationsOf(cause.id).every(({ dueAt }) => dueAt > site.now);
      const endsOnReturn = rulesFor(cause.priority, site.policy)?.endOnReturn ?? false;
      if (isDelayed || endsOnReturn) site.endCause(cause.id, { code: 'back-to-normal' });
    }
  }
}
