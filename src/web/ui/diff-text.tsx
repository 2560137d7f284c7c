/** The late part of `diff.tsx`: the parser and the table. */
import { Decoration, Diff, type FileData, Hunk, parseDiff } from 'react-diff-view'
import 'react-diff-view/style/index.css'
import { visibleText } from '../../model/visible-text.ts'
import styles from './diff.module.css'
import { PlainText } from './plain-text.tsx'
import { SafeText } from './safe-text.tsx'

export default function DiffText({ text }: { readonly text: string }) {
  const files = filesIn(visibleText(text))
  if (files.length === 0) return <PlainText text={text} />
  return files.map((file) => <FileDiff key={`${file.oldPath} ${file.newPath}`} file={file} />)
}

function FileDiff({ file }: { readonly file: FileData }) {
  const { oldPath, newPath, type, hunks } = file
  return (
    <section className={styles.file}>
      <div className={styles.name}>
        <SafeText text={nameOf(oldPath, newPath)} />
      </div>
      {hunks.length === 0 ? null : (
        <Diff viewType="unified" diffType={type} hunks={hunks}>
          {(shown) =>
            shown.flatMap((hunk) => [
              <Decoration key={`${hunk.content} head`}>
                <div className={styles.hunk}>{hunk.content}</div>
              </Decoration>,
              <Hunk key={hunk.content} hunk={hunk} />,
            ])
          }
        </Diff>
      )}
    </section>
  )
}

function nameOf(oldPath: string, newPath: string): string {
  if (newPath === '/dev/null') return `${oldPath}, removed`
  if (oldPath === '/dev/null') return `${newPath}, new`
  return oldPath === newPath ? newPath : `${oldPath} → ${newPath}`
}

/** What is no diff is shown as the text that it is. */
function filesIn(text: string): readonly FileData[] {
  try {
    return parseDiff(text, { nearbySequences: 'zip' })
  } catch {
    return []
  }
}
