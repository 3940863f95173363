// Prometheus metrics of one server.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Store, StoreStats } from './store/store.ts';

type Metrics = { readonly registry: Registry; stop(): void };

const storeCounters: readonly [keyof StoreStats, string][] = [
  ['writes', 'Operations given to the store'],
  ['commits', 'Transactions committed; several operations share one'],
  ['reads', 'Queries given to the store'],
];

type Measured = {
  readonly store: Store;
  readonly hub: { readonly connectionCount: number };
  readonly decider: { lateWakes(): number };
};

export function createMetrics({ store, hub, decider }: Measured): Metrics {
  const registry = new Registry();
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  for (const [counter, help] of storeCounters) {
    new Counter({
      name: `tocsin_store_${counter}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(store.stats()[counter]);
      },
    });
  }
  new Counter({
    name: 'tocsin_calls_late_wakes_total',
    help: 'Looks of the calling engine that found something to do which nothing had announced',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(decider.lateWakes());
    },
  });
  gauge(registry, 'tocsin_event_loop_delay_p99_seconds', 'How late timers fire, 99th percentile since the start', () =>
    Number.isFinite(loop.percentile(99)) ? loop.percentile(99) / 1e9 : 0,
  );
  gauge(registry, 'tocsin_hub_connections', 'Clients connected to the hub', () => hub.connectionCount);
  gauge(registry, 'process_resident_memory_bytes', 'Memory the process holds', () => process.memoryUsage.rss());
  gauge(registry, 'process_cpu_seconds_total', 'Processor time used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge(registry, 'process_uptime_seconds', 'How long the process runs', () => process.uptime());
  return { registry, stop: () => void loop.disable() };
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
