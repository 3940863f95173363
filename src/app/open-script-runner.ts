// Opens the runner of scripts, which without a folder of them only ends the runs that nobody can begin.

import { ScriptRunner } from '../dispatch/script-runner.ts';
import { StartError } from '../errors.ts';
import type { NodeContext } from './part-context.ts';

export async function openScriptRunner(
  context: NodeContext,
  nodeName: string,
  endedNodes: string | undefined,
): Promise<ScriptRunner> {
  const { store, clock, nodeId, log, onNotice, teardown } = context;
  const { scripts } = context.config;
  const refusal = scripts && reasonAgainstScripts(scripts.user?.uid);
  if (refusal !== undefined) throw new StartError(refusal, 'bad-settings');
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'trouble with commands');
  const node = { nodeId, nodeName, endedNodes };
  const scriptRunner = new ScriptRunner({
    store,
    clock,
    ...node,
    folder: scripts?.dir,
    user: scripts?.user,
    onTrouble,
    onNotice,
  });
  await scriptRunner.start();
  teardown.add(() => scriptRunner.stop());
  return scriptRunner;
}

/** Returns why scripts cannot run: a script must not have root's rights. */
function reasonAgainstScripts(scriptsUid: number | undefined): string | undefined {
  const ownUid = process.getuid?.();
  if (ownUid === undefined)
    return 'Commands need a system with users and process groups: leave TOCSIN_SCRIPTS_DIR unset.';
  if (ownUid === 0 && scriptsUid === undefined)
    return 'Tocsin runs as root, and so would its scripts: run it as somebody else, or name whom they run as with TOCSIN_SCRIPTS_USER.';
  if (ownUid !== 0 && scriptsUid !== undefined && scriptsUid !== ownUid)
    return 'Only root can run scripts as somebody else: leave TOCSIN_SCRIPTS_USER unset.';
  return undefined;
}
