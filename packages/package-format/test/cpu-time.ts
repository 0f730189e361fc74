/** How many milliseconds of this thread something takes: what else the machine does then does not count. */
export function cpuMilliseconds(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
