// Measures the processor time of work, which, unlike elapsed time, does not depend on other load of the machine.

export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
