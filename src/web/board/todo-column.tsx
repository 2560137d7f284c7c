/** What is to be done: the issues of a repository that nobody works on. */
import { useNavigate } from '@tanstack/react-router'
import type { RepositoryLook } from '../../model/api/repositories.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import type { TodoIssue } from '../course/start.view.ts'
import type { Loaded } from '../live/loaded.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusShape } from '../ui/status.tsx'
import { cardKey, folderName, issueFacts, type StartWish } from './board.view.ts'
import styles from './board-screen.module.css'
import cardStyles from './run-card.module.css'

export interface TodoColumnProps {
  readonly repo: string
  readonly repos: readonly string[]
  readonly look: Loaded<RepositoryLook>
  readonly todo: readonly TodoIssue[]
  readonly chosen: string | null
  readonly start: UserAction
  readonly onChoose: (key: string) => void
  readonly onStart: (on: StartWish) => void
}

export function TodoColumn({ repo, repos, look, todo, chosen, start, onChoose, onStart }: TodoColumnProps) {
  return (
    <section className={`${styles.column} ${styles.todo}`} aria-label="To do">
      <h2 className={styles.name}>
        To do
        <span className={styles.count}>{todo.length === 0 ? '' : todo.length}</span>
      </h2>
      <Whose repo={repo} repos={repos} />
      {look.kind === 'loading' ? <Skeleton height={56} /> : null}
      {look.kind === 'problem' ? <Problem text={look.problem.problem} /> : null}
      {todo.map((issue) => (
        <IssueCard
          key={issue.id}
          issue={issue}
          isChosen={cardKey({ kind: 'issue', issue }) === chosen}
          onChoose={() => onChoose(cardKey({ kind: 'issue', issue }))}
          onStart={() => onStart({ kind: 'issue', id: issue.id })}
        />
      ))}
      {look.kind === 'there' ? look.value.problems.map((text) => <Problem key={text} text={text} />) : null}
      <ActionButton action={start} look="quiet" />
    </section>
  )
}

function Whose({ repo, repos }: Pick<TodoColumnProps, 'repo' | 'repos'>) {
  const navigate = useNavigate()
  if (repos.length < 2)
    return (
      <p className={styles.whose} title={repo}>
        <SafeText text={folderName(repo)} />
      </p>
    )
  const all = repos.includes(repo) ? repos : [repo, ...repos]
  return (
    <select
      className={styles.whose}
      aria-label="Whose issues"
      value={repo}
      onChange={(event) => void navigate({ to: '.', search: { repo: event.target.value }, replace: true })}
    >
      {all.map((each) => (
        <option key={each} value={each} title={each}>
          {folderName(each)}
        </option>
      ))}
    </select>
  )
}

interface IssueCardProps {
  readonly issue: TodoIssue
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onStart: () => void
}

function IssueCard({ issue, isChosen, onChoose, onStart }: IssueCardProps) {
  const { id, title } = issue
  return (
    <button
      type="button"
      className={`${cardStyles.card} ${isChosen ? (cardStyles.chosen ?? '') : ''}`}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', cardKey({ kind: 'issue', issue }))}
      onFocus={onChoose}
      onClick={onStart}
      aria-label={`Start on ${id}, ${title}`}
    >
      <span className={cardStyles.title}>
        <StatusShape sign="idle" /> <SafeText text={title} />
      </span>
      <span className={cardStyles.facts}>
        <SafeText text={issueFacts(issue).join(' · ')} />
      </span>
    </button>
  )
}

function Problem({ text }: { readonly text: string }) {
  return (
    <p className={styles.problem}>
      <SafeText text={text} />
    </p>
  )
}
