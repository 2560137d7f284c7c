/** The files of a folder that tell of a project's commands. */
import { kindInside, MAX_FILE_BYTES, readInside } from '../../host/inside/read-inside.ts'
import type { ProjectFiles } from '../../host/project/project-kind.ts'

export const filesOfFolder = (dir: string): ProjectFiles => ({
  has: (path) => ['file', 'folder'].includes(kindInside({ root: dir, names: path.split('/') }) ?? ''),
  text: (path) => {
    const read = readInside({ root: dir, names: path.split('/') }, { maxBytes: MAX_FILE_BYTES })
    return 'bytes' in read ? new TextDecoder().decode(read.bytes) : ''
  },
})
