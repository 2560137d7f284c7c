/** The repository that the user stands in. */
import { git } from '../../host/workspace/git.ts'
import type { Problem } from '../../host/workspace/problem.ts'

/** Its top level. */
export async function findRepository(dir: string): Promise<{ readonly repo: string } | Problem> {
  const found = await git(['rev-parse', '--show-toplevel'], { cwd: dir })
  if (found.code === 0) return { repo: found.stdout.replace(/\n$/, '') }
  if (found.code === 127) return { problem: 'git was not found. Install git and see that it is on the PATH.' }
  const { stderr } = found
  if (stderr.includes('dubious ownership'))
    return {
      problem: `git does not trust ${dir}, which belongs to another user. Run: git config --global --add safe.directory ${dir}`,
    }
  if (stderr.includes('must be run in a work tree'))
    return {
      problem: `${dir} belongs to git itself: a bare repository, or a .git folder. Go to the project's own folder, or to a clone.`,
    }
  if (stderr.includes('not a git repository'))
    return { problem: `${dir} is not in a git repository. Run "git init" there, or go to another folder.` }
  return { problem: `git cannot use ${dir}: ${stderr.trim().slice(0, 500)}` }
}
