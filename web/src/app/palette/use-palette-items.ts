// Gathers the entries of the command palette: alarms, what can be done with the one that is meant, and places to go.

import { useNavigate, useRouterState } from '@tanstack/react-router';
import { acknowledgeAlarm, listAlarmHistories, listMedia } from '@tocsin/client';
import { useDeferredValue } from 'react';
import {
  IconBellRinging,
  IconCheck,
  IconEyeOff,
  IconFileText,
  IconHelpCircle,
  IconPhonePlus,
  IconTags,
  IconUser,
  IconUsersGroup,
} from '../../components/icons.tsx';
import { type AlarmView, useAlarmViews } from '../../data/alarm-views.tsx';
import { useCallGroups, useStations, useTagGroups, useUsers } from '../../data/directory.ts';
import { hasFigures, type ListState } from '../../data/lists/list-state.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useRights } from '../../data/rights.ts';
import { readFile } from '../../data/server.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import { screens } from '../screens.ts';
import { alarmsInHistory, matchingAlarms, matchingPlaces, type PaletteItem } from './palette-items.ts';

/** Entries of the history that are searched for an alarm's earlier times. */
const historyLimit = 200;
const mostInHistory = 3;

type Found = { readonly items: readonly PaletteItem[]; readonly state: ListState };

/** With the state of what is searched. */
export function usePaletteItems(typed: string): Found {
  const query = typed.trim();
  const alarms = useAlarmViews();
  const current = matchingAlarms(alarms, query);
  const openId = useOpenAlarmId();
  const meant = query === '' ? alarms.find(({ id }) => id === openId) : current[0];
  const found = useFoundAlarms(current);
  const past = useFoundInHistory(query);
  const actions = useActions(meant);
  const places = usePlaces(query);
  const { alarmList } = useLive();
  const state = [alarmList, past.state, places.state].find((one) => !hasFigures(one)) ?? alarmList;
  return { items: [...found, ...past.items, ...actions, ...places.items], state };
}

function useOpenAlarmId(): number | undefined {
  return useRouterState({
    select: ({ location }) =>
      location.pathname.endsWith('/alarms') ? (location.search as { readonly id?: number }).id : undefined,
  });
}

function useFoundAlarms(alarms: readonly AlarmView[]): readonly PaletteItem[] {
  const words = useWords().palette;
  const navigate = useNavigate();
  return alarms.map((alarm) => ({
    key: `alarm-${alarm.id}`,
    section: 'alarms',
    text: alarm.text,
    detail: [alarm.station, words.now].filter(Boolean).join(' · '),
    look: { mark: alarm },
    run: () => void navigate({ to: '/alarms', search: { id: alarm.id } }),
  }));
}

function useFoundInHistory(query: string): Found {
  const words = useWords().palette;
  const navigate = useNavigate();
  const search = useDeferredValue(query);
  const found = useRead({
    queryKey: ['palette-history', search],
    question: ['palette-history'],
    enabled: search.length > 1,
    queryFn: () => listAlarmHistories({ search, limit: historyLimit, sort: '-id', view: 'full' }),
    staleTime: 10_000,
  });
  if (query.length < 2) return { items: [], state: { kind: 'read', at: 0 } };
  const items = alarmsInHistory(found.choices((page) => page.items))
    .slice(0, mostInHistory)
    .map(
      ({ newest, times }): PaletteItem => ({
        key: `history-${newest.tagId}`,
        section: 'alarms',
        text: newest.message || newest.tagName,
        detail: words.earlier(times),
        look: { mark: { priority: newest.priority, state: 1, masked: false, system: newest.system ?? false } },
        run: () => void navigate({ to: '/history', search: { alarm: newest.tagId, period: '30d' } }),
      }),
    );
  return { items, state: found.state };
}

/** The actions for the alarm that is open or was found first. */
function useActions(alarm: AlarmView | undefined): readonly PaletteItem[] {
  const words = useWords().palette;
  const { blockedBy } = useRights();
  const navigate = useNavigate();
  if (alarm === undefined) return [];
  const { id, state, masked } = alarm;
  const text = shortened(alarm.text);
  const open = (ask?: 'mask'): void => void navigate({ to: '/alarms', search: { id, ...(ask && { ask }) } });
  const acknowledge: PaletteItem = {
    key: 'acknowledge',
    section: 'do',
    text: words.acknowledge(text),
    look: { icon: IconCheck },
    keyCap: 'A',
    blocked: blockedBy('alarms:ack'),
    run: () => acknowledgeAlarm(id),
  };
  const mask: PaletteItem = {
    key: 'mask',
    section: 'do',
    text: words.mask(text),
    look: { icon: IconEyeOff },
    keyCap: 'S',
    blocked: blockedBy('alarms:mask'),
    run: () => open('mask'),
  };
  const rest: readonly PaletteItem[] = [
    {
      key: 'explain',
      section: 'do',
      text: words.explain(text),
      look: { icon: IconHelpCircle },
      keyCap: 'E',
      run: () => open(),
    },
    {
      key: 'call',
      section: 'do',
      text: words.call(text),
      look: { icon: IconPhonePlus },
      keyCap: 'N',
      blocked: blockedBy('calls:send'),
      run: () => void navigate({ to: '/calls', search: { about: `${alarm.text} (${alarm.station})` } }),
    },
  ];
  return [...((state & 2) === 0 ? [] : [acknowledge]), ...(masked ? [] : [mask]), ...rest];
}

function usePlaces(query: string): Found {
  const words = useWords();
  const navigate = useNavigate();
  const stations = useStations();
  const groups = useCallGroups();
  const users = useUsers();
  const tagGroups = useTagGroups();
  const media = useRead({
    queryKey: ['media'],
    enabled: query !== '',
    staleTime: 60_000,
    queryFn: () => listMedia({ limit: 1000 }),
  });
  const always = screens.map(
    ({ name, path, icon, key }): PaletteItem => ({
      key: path,
      section: 'goTo',
      text: words.screens[name],
      look: { icon },
      keyCap: `g ${key}`,
      run: () => void navigate({ to: path }),
    }),
  );
  const place = (
    key: string,
    text: string,
    detail: string,
    icon: typeof IconTags,
    run: () => unknown,
  ): PaletteItem => ({ key, section: 'goTo', text, detail, look: { icon }, run });
  const showAlarms = (search: object) => () => navigate({ to: '/alarms', search });
  const named = [
    ...users
      .choices((all) => all.values())
      .map(({ id, name, firstName, displayName }) =>
        place(`person-${id}`, displayName || firstName || name, words.palette.person, IconUser, () =>
          navigate({ to: '/history', search: { user: id, period: '30d' } }),
        ),
      ),
    ...stations
      .choices((all) => all.values())
      .map(({ id, name }) =>
        place(`station-${id}`, name, words.alarms.station, IconBellRinging, showAlarms({ station: `${id}` })),
      ),
    ...groups
      .choices((all) => all.values())
      .map(({ id, name }) =>
        place(`group-${id}`, name, words.palette.group, IconUsersGroup, () =>
          navigate({ to: '/oncall', search: { group: id } }),
        ),
      ),
    ...tagGroups
      .choices((all) => all.values())
      .map(({ id, name }) =>
        place(`tags-${id}`, name, words.alarms.tagGroup, IconTags, showAlarms({ tagGroup: `${id}` })),
      ),
    ...media
      .choices(({ items }) => items)
      .map(({ name }) => place(`media-${name}`, name, words.palette.media, IconFileText, () => openFile(name))),
  ];
  const reads = [stations, groups, users, tagGroups, ...(query === '' ? [] : [media])];
  const state = reads.map((read) => read.state).find((one) => !hasFigures(one)) ?? stations.state;
  return { items: matchingPlaces(always, named, query), state };
}

const quotedLength = 28;

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= quotedLength ? text : `${letters.slice(0, quotedLength).join('').trimEnd()}…`;
}

/** Opens a file in a new tab; it is read here, because a tab has no token to send. */
async function openFile(name: string): Promise<void> {
  const url = URL.createObjectURL(await readFile(`/api/v1/media/${encodeURIComponent(name)}`));
  open(url, '_blank', 'noopener');
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
