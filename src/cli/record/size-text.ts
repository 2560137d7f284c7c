/** How much disk something takes, for people. */
export function sizeText(bytes: number): string {
  const [unit, size] = UNITS.findLast(([, least]) => bytes >= least) ?? UNITS[0]
  const count = bytes / size
  return `${count < 10 && unit !== 'B' ? count.toFixed(1) : Math.round(count)} ${unit}`
}

const UNITS = [
  ['B', 1],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
] as const
