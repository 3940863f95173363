// Waits until a call has said something; a failure shows what became of the call.

import type { Sipp } from '../../../packages/sip/test/harness/sipp.ts';
import type { Site } from '../site/site.ts';
import { until } from '../until.ts';
import type { SpokenLog } from './spoken-log.ts';

type InCall = { readonly site: Site; readonly sipp: Sipp; readonly texts: SpokenLog['texts'] };

export async function untilSaid({ site, sipp, texts }: InCall, phrase: string): Promise<void> {
  let hasEnded = false;
  void sipp.ended.then(() => {
    hasEnded = true;
  });
  const isSaid = async (): Promise<boolean> => (await texts()).includes(phrase);
  try {
    await until(async () => (await isSaid()) || hasEnded, Boolean);
    if (await isSaid()) return;
  } catch {
    // Told below, with what became of the call.
  }
  const { items } = await site.list('/call/histories?limit=5');
  const warnings = site.app.logLines.filter(({ level }) => level >= 40);
  throw new Error(
    `"${phrase}" was not said, but ${JSON.stringify(await texts())}; attempts: ${JSON.stringify(items)}; warnings: ${JSON.stringify(warnings)}; SIPp ${hasEnded ? 'has ended' : 'goes on'}: ${sipp.log().slice(-4_000)}`,
  );
}
