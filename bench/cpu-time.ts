/** Milliseconds that this process has computed so far: unlike the clock, they do not run while others have the machine. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
