/** What runs changed of issues: whatever a check of theirs came to stands on the branch for it, and once. */
import { execFileSync } from 'node:child_process'
import type { Project } from './project.fixture.ts'
import type { RecordedRun } from './record.fixture.ts'
import { ISSUE_STEPS } from './under-way.fixture.ts'

/** As `signalbox issue new` writes one. */
export const FIRST_ISSUE = {
  name: 'issues/1.md',
  text: '---\nid: 1\ntitle: What runs say\nstatus: Todo\ndepends-on: []\n---\n',
}

const BRANCH = 'refs/heads/signalbox/issues'

export function problemsOfIssues({ repo }: Project, runs: readonly RecordedRun[]): string[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: repo, encoding: 'utf8', maxBuffer: 1 << 28 }).trim()
  if (git('for-each-ref', BRANCH) === '')
    return runs.flatMap(({ run, events }) =>
      events.some(({ type }) => type === 'issues.changed')
        ? [`run ${run}: it changed issues, and there is no branch with that`]
        : [],
    )
  const commits = git('log', '--format=%H %(trailers:key=Signalbox-Visit,valueonly,separator=%x2C)', BRANCH)
  const made = commits.split('\n').flatMap((line) => {
    const [commit = '', ...visit] = line.split(' ')
    return visit.join('') === '' ? [] : [{ commit, visit: visit.join(' ') }]
  })
  const files = git('grep', '--no-color', '-hE', 'Said by|^title: Filed by', BRANCH).split('\n')
  const problems: string[] = []
  const expectOnce = (times: number, what: string): void => {
    if (times !== 1) problems.push(`${what} stands ${times} times on ${BRANCH}`)
  }
  const wanted = new Set<string>()
  for (const { run, events } of runs)
    for (const event of events) {
      if (event.type !== 'issues.changed') continue
      const visit = `${run} ${event.step} ${event.visit}`
      wanted.add(visit)
      if (!made.some((each) => each.visit === visit && each.commit === event.commit))
        problems.push(`${visit}: its change ${event.commit} is not on ${BRANCH}`)
    }
  for (const { run, events } of runs)
    for (const event of events)
      if (event.type === 'visit.left' && ISSUE_STEPS.has(event.step) && event.outcome === 'pass') {
        const visit = `${run} ${event.step} ${event.visit}`
        if (!wanted.has(visit)) problems.push(`${visit}: it passed, and nothing was told of its change`)
      }
  for (const { visit } of made) {
    expectOnce(made.filter((each) => each.visit === visit).length, `a commit of ${visit}`)
    const [run = '', step = '', number = ''] = visit.split(' ')
    const said = step === 'file_issue' ? `title: Filed by ${run}` : `> Said by ${run} at ${number}.`
    expectOnce(files.filter((line) => line === said).length, `what ${visit} changed`)
  }
  const told = files.filter((line) => line.startsWith('> Said by') || line.startsWith('title: Filed by'))
  if (told.length !== made.length)
    problems.push(`${told.length} changes stand on ${BRANCH}, which has ${made.length} commits of them`)
  return [...new Set(problems)]
}
