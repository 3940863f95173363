// Opens the metrics, and serves them on a port of their own if the settings name one.

import type { Registry } from 'prom-client';
import { createMetrics } from '../metrics.ts';
import { serveMetrics } from '../routes/health.ts';
import type { PartContext } from './part-context.ts';
import type { RefusalTrace } from './trace-refusals.ts';

export async function openMetrics(
  { store, config, teardown }: PartContext,
  measured: Omit<Parameters<typeof createMetrics>[0], 'store'>,
  refusals: RefusalTrace,
): Promise<Registry> {
  const metrics = createMetrics({ store, ...measured });
  metrics.registry.registerMetric(refusals.counter);
  teardown.add(() => metrics.stop());
  if (config.metricsPort !== undefined) {
    const served = await serveMetrics(metrics.registry, config.host, config.metricsPort);
    teardown.add(() => served.close());
  }
  return metrics.registry;
}
