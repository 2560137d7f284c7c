/** The day by the clocks of this machine. */

export interface LocalDay {
  readonly name: string
  readonly startAt: number
  readonly endAt: number
}

export function localDay(at: number): LocalDay {
  const date = new Date(at)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const two = (number: number): string => String(number).padStart(2, '0')
  return {
    name: `${year}-${two(month + 1)}-${two(day)}`,
    startAt: new Date(year, month, day).getTime(),
    endAt: new Date(year, month, day + 1).getTime(),
  }
}
