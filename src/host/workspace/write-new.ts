/** A file that was not there: it is written whole, or is not there after all. What is there is nobody's to replace: `EEXIST`. */
import { constants } from 'node:fs'
import { open, unlink } from 'node:fs/promises'

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

export async function writeNew(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, NEW, mode)
  try {
    await file.writeFile(content)
  } catch (error) {
    await unlink(path).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}
