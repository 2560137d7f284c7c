/** A size for people. */
export function sizeText(bytes: number): string {
  const [unit, scale] = UNITS.find(([, least]) => bytes >= least) ?? ['B', 1]
  const count = bytes / scale
  return `${scale === 1 || count >= 10 ? Math.round(count) : count.toFixed(1)} ${unit}`
}

const UNITS = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const
