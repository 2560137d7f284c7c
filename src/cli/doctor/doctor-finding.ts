/** One line of `signalbox doctor`. */
export interface DoctorFinding {
  readonly about: string
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

export const good = (about: string, text: string): DoctorFinding => ({ about, state: 'good', text })
export const bad = (about: string, text: string): DoctorFinding => ({ about, state: 'bad', text })

/** Whatever keeps it from looking is what it found: a record that somebody was at may be odd in any way. */
export async function orTold(
  about: string,
  find: () => Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  try {
    return await find()
  } catch (error) {
    return [bad(about, `it cannot be looked at: ${error instanceof Error ? error.message : String(error)}`)]
  }
}

const MOST_TOLD = 5

export function listed(texts: readonly string[]): string {
  const more = texts.length - MOST_TOLD
  return `${texts.slice(0, MOST_TOLD).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
