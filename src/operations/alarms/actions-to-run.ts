// The actions of alarms and of their scenarios, with the targets that exist, as of a transaction.

import { type RecordedAction, recordedActions, type Targets, targetsNamed } from '../../domain/alarms/actions.ts';
import type { ActionList } from '../../domain/alarms/alarm.ts';
import type { AlarmAction, AlarmDefinition, DefinitionChange } from '../../domain/alarms/definition.ts';
import {
  allScenarioActions,
  noScenarios,
  type ScenarioIndex,
  scenarioActions,
} from '../../domain/alarms/scenario-actions.ts';
import type { ReadTx } from '../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../configuration/call-configuration.ts';
import { TargetLookup } from './action-targets.ts';
import type { AlarmRecord } from './record.ts';

const none: Targets = { userIds: new Set(), callGroupIds: new Set(), mediaNames: new Set(), scripts: undefined };

export class ActionsToRun {
  readonly #tx: ReadTx;
  readonly #lookup: TargetLookup;
  #configuration: CallConfiguration | undefined;
  #scenarios: ScenarioIndex = noScenarios;
  /** The users, groups, media files and scripts that exist, of those that the gathered definitions name. */
  targets: Targets = none;

  constructor(tx: ReadTx) {
    this.#tx = tx;
    this.#lookup = new TargetLookup(tx);
  }

  /** Loads the configuration and the targets of changes that will probably be made. */
  async prefetch(changes: readonly DefinitionChange[]): Promise<void> {
    const [configuration] = await Promise.all([
      readCallConfiguration(this.#tx),
      this.#lookup.lookUp(targetsNamed(changes)),
    ]);
    this.#configuration = configuration;
  }

  /** Looks up the targets of these definitions and of the coming changes. */
  async gather(definitions: readonly AlarmDefinition[], changes: readonly DefinitionChange[]): Promise<void> {
    const { scenarios, scripts } = this.#configuration ?? (await readCallConfiguration(this.#tx));
    this.#scenarios = scenarios;
    await this.#lookup.lookUp(targetsNamed([...definitions, ...changes], allScenarioActions(scenarios)));
    this.targets = { ...this.#lookup.found, scripts };
  }

  /** Returns the alarm's own actions of a list and those its scenarios add. */
  of(alarm: AlarmRecord, list: ActionList): readonly AlarmAction[] {
    const added = scenarioActions(alarm, list, this.#scenarios);
    return added.length === 0 ? alarm.definition[list].actions : [...alarm.definition[list].actions, ...added];
  }

  /** Returns the actions of a list with their current effect, for the event log. */
  recorded(alarm: AlarmRecord, list: ActionList): readonly RecordedAction[] {
    return recordedActions(list, this.of(alarm, list), this.targets, alarm.life.mask);
  }
}
