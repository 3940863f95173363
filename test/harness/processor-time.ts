// How long work keeps the processor: unlike the clock, that does not go on while the machine does something else.

export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
