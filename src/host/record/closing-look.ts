/** Whether a text is gone is seen by looking again: what was written meanwhile goes too, and the last look has the word. */
import type { FileFindings } from './erase-files.ts'

/** Whoever writes on and on is not waited for. */
export const MOST_LOOKS = 3

export async function closingLook(
  first: FileFindings,
  again: () => Promise<FileFindings>,
): Promise<FileFindings> {
  const files = new Set(first.files)
  for (let look = 1; ; look++) {
    const found = await again()
    for (const file of found.files) files.add(file)
    if (found.files.length === 0) return { files: [...files], remains: found.remains }
    if (look === MOST_LOOKS)
      return { files: [...files], remains: [...found.remains, ...found.files.map(writtenAgain)] }
  }
}

const writtenAgain = (file: string): string =>
  `${file} gets it as often as it is overwritten: end what writes there, and do this again.`
