// A block of the plan: who has the duty, and why it stands out if it does.

import type { CSSProperties, ReactElement } from 'react';
import { IconArrowsExchange, IconLayersIntersect, IconLock, IconUserCheck } from '../../components/icons.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useTeams } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { hoursText, spanText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { changeKindOf, namesOnDuty, reliefNames } from './duty-texts.ts';
import type { Block } from './plan/blocks.ts';
import { teamColour } from './plan/team-colour.ts';
import styles from './plan-block.module.css';

type PlanBlockProps = {
  readonly block: Block;
  readonly groupName: string;
  readonly isOpen: boolean;
  /** Whether it is the block that the Tab key reaches. */
  readonly isReached: boolean;
  readonly onOpen: () => void;
  readonly onReach: () => void;
};

/** The name of what is in the block, and of the team or reason below it. */
export function useBlockText({ kind, slot, teamIds, from, to }: Block): {
  readonly name: string;
  readonly below: string;
} {
  const words = useWords();
  const names = useNames();
  const clock = usePlantClock();
  const teams = useTeams();
  const team = teamIds.map((id) => teams.name((all) => all.get(id)?.name, `#${id}`)).join(', ');
  switch (kind) {
    case 'nobody':
      return { name: words.onCall.nobody, below: hoursText(clock, to - from) };
    case 'locked':
      return { name: words.onCall.lockedAs(plainText(slot?.reason ?? '')), below: '' };
    case 'passed': {
      const members = teams.choices((all) => all.get(teamIds[0] ?? 0)?.members ?? []);
      const who = members.filter(({ relief }) => !relief).map(({ userId }) => names.byId(userId));
      return { name: who.join(', '), below: team };
    }
    case 'duty': {
      const below = team === '' ? plainText(slot?.reason ?? '') : team;
      return { name: slot === undefined ? '' : namesOnDuty(slot, names), below };
    }
  }
}

export function PlanBlock(props: PlanBlockProps): ReactElement {
  const { block, groupName, isOpen, isReached, onOpen, onReach } = props;
  const { kind, slot, left, width, lane, from, to, teamIds } = block;
  const clock = usePlantClock();
  const text = useBlockText(block);
  const isChanged = kind === 'duty' && slot?.overrideId !== null;
  const label = `${groupName}, ${spanText(clock, from, to)}: ${[text.name, text.below].filter(Boolean).join(', ')}`;
  return (
    <div
      role="gridcell"
      className={styles.cell}
      style={{ left: `${left * 100}%`, width: `${width * 100}%`, '--lane': lane } as CSSProperties}
    >
      <button
        type="button"
        className={styles.block}
        style={useTeamStyle(teamIds)}
        data-block={block.key}
        data-kind={kind}
        data-changed={isChanged ? '' : undefined}
        data-alone={teamIds.length === 0 ? '' : undefined}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={label}
        tabIndex={isReached ? 0 : -1}
        onClick={onOpen}
        onFocus={onReach}
      >
        {kind === 'nobody' ? <SystemMark size={12} /> : null}
        {kind === 'locked' ? <IconLock size={15} stroke={1.75} /> : null}
        <span className={styles.text}>
          <b className={styles.name}>
            {kind === 'passed' ? <BlockIcon block={block} /> : null} {text.name}
            <ReliefPart block={block} />
          </b>
          {text.below === '' || kind === 'passed' ? null : (
            <span className={styles.below}>
              <BlockIcon block={block} /> {text.below}
            </span>
          )}
        </span>
      </button>
    </div>
  );
}

/** Relief is named where there is room. */
function ReliefPart({ block: { kind, slot } }: { readonly block: Block }): ReactElement | null {
  const words = useWords().onCall;
  const names = useNames();
  const relief = kind === 'duty' && slot !== undefined ? reliefNames(slot, names) : '';
  return relief === '' ? null : <span className={styles.relief}>, {words.relief(relief)}</span>;
}

/** A team that was removed, and a person alone, have no colour of their own. */
export function useTeamStyle(teamIds: readonly number[]): CSSProperties | undefined {
  return useTeams().when({
    unread: () => undefined,
    known: (all) => {
      const team = all.get(teamIds[0] ?? 0);
      if (team === undefined) return undefined;
      const { light, dark } = teamColour(team.colour);
      return { '--team-light': light, '--team-dark': dark } as CSSProperties;
    },
  });
}

function BlockIcon({ block: { kind, slot } }: { readonly block: Block }): ReactElement | null {
  if (kind === 'passed') return <IconLayersIntersect size={12} stroke={1.75} />;
  if (kind !== 'duty' || slot === undefined || slot.overrideId === null) return null;
  const Icon = changeKindOf(slot) === 'swap' ? IconArrowsExchange : IconUserCheck;
  return <Icon size={12} stroke={1.75} />;
}
