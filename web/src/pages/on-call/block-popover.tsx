// The popover of a block: why it is so, who relieves, how people are reached, and what can be done.

import { deleteOverride, undoSwap } from '@tocsin/client';
import {
  type CSSProperties,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { TestCallButton, TestCallNews, useTestCall } from '../../components/contact/test-call.tsx';
import { IconMessage, IconPhone, IconTrash, IconX } from '../../components/icons.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useCallGroups, useSchedules, useTeams, useUsers } from '../../data/directory.ts';
import { unknownFigure } from '../../data/lists/list-state.ts';
import { useNames } from '../../data/names.ts';
import { useRefreshOnCall } from '../../data/on-call.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { isSpoken } from '../../data/spoken.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { hoursText, spanText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './block-popover.module.css';
import { whyText } from './duty-texts.ts';
import type { OpenDialog } from './on-call-dialogs.tsx';
import type { Block } from './plan/blocks.ts';
import { useBlockText, useTeamStyle } from './plan-block.tsx';
import type { PlanGroup } from './use-plan.ts';

type BlockPopoverProps = {
  readonly block: Block;
  readonly group: PlanGroup;
  /** The frame that the popover is placed in. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onClose: () => void;
  readonly openDialog: (dialog: OpenDialog) => void;
};

export function BlockPopover({ block, group, frame, onClose, openDialog }: BlockPopoverProps): ReactElement {
  const words = useWords();
  const clock = usePlantClock();
  const { name, below } = useBlockText(block);
  const element = useRef<HTMLDivElement>(null);
  const place = usePlace(block.key, frame, element);
  useEffect(() => element.current?.focus(), []);
  useClosing(element, onClose);
  const { from, to } = block;
  const isElsewhere = clock.timeZone !== undefined && group.plan.timeZone !== clock.timeZone;
  return (
    <div
      ref={element}
      className={styles.popover}
      style={{ ...place, ...useTeamStyle(block.teamIds) }}
      role="dialog"
      aria-label={[below, name].filter(Boolean).join(' · ')}
      tabIndex={-1}
      data-kind={block.kind}
    >
      <header className={styles.head}>
        <div>
          <h2>{[block.kind === 'nobody' ? group.plan.name : below, name].filter(Boolean).join(' · ')}</h2>
          <p>
            {spanText(clock, from, to)} <span className={styles.length}>· {hoursText(clock, to - from)}</span>
          </p>
          {isElsewhere ? (
            <p>
              {spanText({ ...clock, timeZone: group.plan.timeZone }, from, to)} {group.plan.timeZone}
            </p>
          ) : null}
        </div>
        <IconButton icon={IconX} label={words.actions.close} onClick={onClose} />
      </header>
      <Facts block={block} group={group} />
      <Actions {...{ block, group, onClose, openDialog }} />
    </div>
  );
}

/** Below the block or above it, within the frame. */
function usePlace(
  key: string,
  frame: RefObject<HTMLDivElement | null>,
  element: RefObject<HTMLDivElement | null>,
): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' });
  useLayoutEffect(() => {
    const block = frame.current?.querySelector(`[data-block="${key}"]`)?.getBoundingClientRect();
    const around = frame.current?.getBoundingClientRect();
    const own = element.current?.getBoundingClientRect();
    if (block === undefined || around === undefined || own === undefined) return;
    const left = Math.min(Math.max(8, block.left - around.left), around.width - own.width - 8);
    const isRoomBelow = block.bottom + own.height + 8 < innerHeight;
    const top = isRoomBelow ? block.bottom - around.top + 6 : Math.max(0, block.top - around.top - own.height - 6);
    setPlace({ left: Math.max(8, left), top });
  }, [key, frame, element]);
  return place;
}

/** Escape and a click elsewhere close it. */
function useClosing(element: RefObject<HTMLDivElement | null>, onClose: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose();
    };
    const onPointerDown = ({ target }: PointerEvent): void => {
      const isInside =
        target instanceof Element && (element.current?.contains(target) || target.closest('[data-block]'));
      if (!isInside && document.querySelector('dialog[open]') === null) onClose();
    };
    addEventListener('keydown', onKeyDown);
    addEventListener('pointerdown', onPointerDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('pointerdown', onPointerDown);
    };
  }, [element, onClose]);
}

type OfBlock = { readonly block: Block; readonly group: PlanGroup };

function Facts({ block, group }: OfBlock): ReactElement | null {
  const words = useWords();
  const schedules = useSchedules();
  const schedule = schedules.when({ known: (all) => all.get(group.plan.scheduleId ?? 0), unread: () => undefined });
  const teams = useTeams();
  const { slot, overlap } = block;
  if (overlap !== undefined) {
    const counts = group.plan.slots.find(({ from, to }) => from <= overlap.from && overlap.from < to);
    const teamName = (id: number | null | undefined, otherwise: string): string =>
      teams.name((all) => all.get(id ?? 0)?.name, otherwise);
    const other = teamName(counts?.teamIds[0], overlap.takenBy);
    return <p className={styles.passed}>{words.onCall.passed(teamName(overlap.teamId, ''), other)}</p>;
  }
  if (slot === undefined) return null;
  const { why, over } = whyText(slot, { schedule, teams, words });
  return (
    <dl className={styles.facts}>
      <dt>{words.onCall.popover.why}</dt>
      <dd>
        {plainText(why)} <span className={styles.over}>{over}</span>
      </dd>
      <dt>{words.onCall.popover.relief}</dt>
      <dd>
        <ReliefText block={block} group={group} />
      </dd>
      {block.kind === 'duty' ? (
        <>
          <dt>{words.onCall.popover.reachedBy}</dt>
          <dd>
            <ReachedBy block={block} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}

/** `Emil, then group Electrical`. */
function ReliefText({ block: { slot }, group }: OfBlock): ReactElement {
  const words = useWords().onCall.popover;
  const { byId } = useNames();
  const groups = useCallGroups();
  const people =
    slot === undefined ? [] : slot.members.filter(({ relief }) => relief).map(({ userId }) => byId(userId));
  const text = groups.figure((all) => {
    const reliefGroup = all.get(all.get(group.plan.callGroupId)?.reliefGroupId ?? 0)?.name;
    const steps = [people.join(', '), reliefGroup === undefined ? '' : words.group(reliefGroup)].filter(Boolean);
    return steps.length === 0 ? words.nobody : steps.join(words.thereafter);
  });
  return <>{text}</>;
}

/** The ways to reach each person, with those that are not verified in the colour of the system. */
function ReachedBy({ block: { slot } }: { readonly block: Block }): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const users = useUsers();
  const people = slot === undefined ? [] : slot.members.filter(({ relief }) => !relief);
  return (
    <>
      {people.map(({ userId }) => {
        const numbers = users.when({ known: (all) => all.get(userId)?.numbers, unread: () => undefined });
        return (
          <span key={userId} className={styles.person}>
            {people.length > 1 ? <b>{byId(userId)}</b> : null}
            {numbers === undefined ? unknownFigure : null}
            {numbers?.length === 0 ? (
              <span className={styles.bad}>{words.onCall.reach.noNumber(byId(userId))}</span>
            ) : null}
            {numbers?.map(({ id, channel, valid, verified }) => (
              <span key={id} className={valid && verified ? styles.way : styles.bad}>
                {isSpoken(channel) ? <IconPhone size={14} /> : <IconMessage size={14} />}{' '}
                {words.timeline.channel(channel)}
                {valid && verified ? '' : ` (${words.onCall.popover.notVerified})`}
              </span>
            ))}
            {numbers !== undefined &&
            numbers.length > 0 &&
            numbers.every(({ valid, verified }) => valid && verified) ? (
              <span>· {words.onCall.popover.verified}</span>
            ) : null}
          </span>
        );
      })}
    </>
  );
}

type ActionsProps = Omit<BlockPopoverProps, 'frame'>;

function Actions({ block, group, onClose, openDialog }: ActionsProps): ReactElement {
  const words = useWords().onCall;
  const { blockedBy } = useRights();
  const { scheduleId, callGroupId } = group.plan;
  const test = useTestCall(
    block.slot === undefined ? [] : block.slot.members.filter(({ relief }) => !relief).map(({ userId }) => userId),
  );
  const noSchedule = scheduleId === null ? words.noSchedule : undefined;
  const isPast = block.to <= Date.now() ? words.past : undefined;
  const open = (kind: 'take' | 'swap') => () =>
    openDialog({ kind, callGroupId, span: { from: block.from, to: block.to } });
  return (
    <footer className={styles.actions}>
      <div className={styles.buttons}>
        <Button kind="ink" blocked={blockedBy('alarms:ack') ?? noSchedule ?? isPast} onClick={open('take')}>
          {block.kind === 'nobody' ? words.take : words.takeOver}
        </Button>
        <Button blocked={blockedBy('directory:write') ?? noSchedule ?? isPast} onClick={open('swap')}>
          {words.swap}
        </Button>
        {block.kind === 'duty' ? <TestCallButton test={test} /> : null}
        <UndoButton block={block} group={group} onClose={onClose} />
      </div>
      <TestCallNews test={test} />
    </footer>
  );
}

/** Removes the override by which a block is so; one of a swap together with the others of it. */
function UndoButton({
  block: { slot },
  group,
  onClose,
}: OfBlock & { readonly onClose: () => void }): ReactElement | null {
  const words = useWords().onCall.popover;
  const { blockedBy } = useRights();
  const refresh = useRefreshOnCall();
  const [trouble, setTrouble] = useState('');
  const { scheduleId } = group.plan;
  if (scheduleId === null || slot === undefined || slot.overrideId === null) return null;
  const { overrideId, swapId } = slot;
  const undo = async (): Promise<void> => {
    try {
      await (swapId === null ? deleteOverride(scheduleId, overrideId) : undoSwap(scheduleId, swapId));
      await refresh();
      onClose();
    } catch (error) {
      setTrouble(reasonOf(error));
    }
  };
  const label = swapId === null ? words.undo : words.undoSwap;
  return (
    <>
      <IconButton icon={IconTrash} label={label} blocked={blockedBy('directory:write')} onClick={() => void undo()} />
      {trouble === '' ? null : (
        <p className={styles.bad} role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}
