// Merges what a source or a person sends into the definition of an existing alarm.

import { changedDefinition, type DefinitionChange, rulesOf } from '../../domain/alarms/definition.ts';
import type { Instant } from '../../store/store.ts';
import type { AlarmReport } from './intake/report-message.ts';
import type { ChangedBy, TrackedAlarm } from './reaction.ts';
import type { AlarmUnitOfWork } from './unit-of-work.ts';

type Redefinition = Partial<Pick<AlarmReport, 'value' | 'priority' | 'tagGroupId'>> & {
  readonly change?: DefinitionChange | undefined;
};

export function redefine(
  unit: AlarmUnitOfWork,
  entry: TrackedAlarm,
  sent: Redefinition,
  at: Instant,
  by: ChangedBy,
): void {
  const known = entry.alarm;
  const definition = changedDefinition(known.definition, sent.change ?? {});
  const { value = known.value, priority = known.priority, tagGroupId = known.tagGroupId } = sent;
  const isSame =
    definition === known.definition &&
    priority === known.priority &&
    tagGroupId === known.tagGroupId &&
    value === known.value;
  if (isSame) return;
  const life = { ...known.life, rules: rulesOf(definition) };
  unit.redefine(entry, { definition, value, priority, tagGroupId, life }, at, by);
}
