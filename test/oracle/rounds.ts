/** A round of findings, read off SPEC.md once more (S1, S3). Everything found here has one word-for-word title. */
import type { Finding } from '../../src/model/answer.ts'

export interface Round {
  readonly findings: readonly Finding[]
  readonly news: boolean
  readonly material: boolean
}

export function readRound(known: readonly Finding[], reported: readonly Finding[]): Round {
  const findings = [...known]
  const reopened = new Set<string>()
  for (const finding of reported) {
    const index = findings.findIndex(
      ({ id, title }, at) => (at < known.length && id === finding.id) || title === finding.title,
    )
    if (index === -1) {
      if (finding.title !== '') findings.push(finding)
      continue
    }
    const { id } = findings[index]!
    // Where members disagree it is open.
    const isNew = index >= known.length
    const status =
      finding.status === 'open' || reopened.has(id) || (isNew && findings[index]!.status === 'open')
    if (finding.status === 'open') reopened.add(id)
    findings[index] = { ...findings[index]!, status: status ? 'open' : 'fixed' }
  }
  const news = findings.some((finding, index) => finding.status !== known[index]?.status)
  const material = findings.some(({ status, severity }) => status === 'open' && severity !== 'minor')
  return { findings, news, material }
}
