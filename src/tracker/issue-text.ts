/** The file of a new issue. */
import { written, writtenItem } from './front-matter-edit.ts'
import { asBody, oneLine } from './inert.ts'

export interface NewIssue {
  readonly title: string
  readonly body: string
  readonly parent: string
  readonly labels: readonly string[]
  readonly dependsOn: readonly string[]
  readonly category: string
}

export function issueText(
  id: string,
  { title, body, parent, labels, dependsOn, category }: NewIssue,
): string {
  const list = (items: readonly string[]): string => `[${items.map(writtenItem).join(', ')}]`
  const text = asBody(body)
  return [
    '---',
    `id: ${written(id)}`,
    `title: ${written(oneLine(title))}`,
    'status: Todo',
    ...(parent === '' ? [] : [`parent: ${written(parent)}`]),
    ...(labels.length === 0 ? [] : [`labels: ${list(labels)}`]),
    `depends-on: ${list(dependsOn)}`,
    ...(category === '' ? [] : [`category: ${written(oneLine(category))}`]),
    '---',
    ...(text === '' ? [] : ['', text]),
    '',
  ].join('\n')
}
