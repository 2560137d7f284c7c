/** The files of a folder that tell of a project's commands. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectFiles } from '../../host/project/project-kind.ts'
import { readBytes } from '../files.ts'

export const filesOfFolder = (dir: string): ProjectFiles => ({
  has: (path) => existsSync(join(dir, path)),
  text: (path) => {
    const read = readBytes(join(dir, path))
    return read.kind === 'bytes' ? new TextDecoder().decode(read.bytes) : ''
  },
})
