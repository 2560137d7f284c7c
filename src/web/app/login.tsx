/** Coming in: by the key of a login link, which stands behind the # and is used at once, or by somebody's token. */
import { useEffect, useState } from 'react'
import { ask, isProblem } from '../live/ask.ts'
import { keepPageKey } from '../live/page-key.ts'
import { Button } from '../ui/button.tsx'
import styles from './login.module.css'

export function Login() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(location.hash.length > 1)
  const enter = async (key: string): Promise<void> => {
    setBusy(true)
    const answer = await ask('POST /api/v1/login', { body: { key } })
    if (!isProblem(answer)) {
      keepPageKey(answer)
      return location.replace('/inbox')
    }
    setProblem(answer.problem)
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the address the page came by
  useEffect(() => {
    const key = location.hash.slice(1)
    // Used up or not, it shall not stay in the address.
    history.replaceState(null, '', '/login')
    if (key !== '') void enter(key)
  }, [])
  if (isBusy) return <div className={styles.login} aria-busy="true" />
  return (
    <main className={styles.login}>
      <h1>Signalbox</h1>
      <p>
        <code>signalbox open</code> on the machine of the host opens this page for its owner. Whoever else is
        on the list comes in with their token.
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const token = new FormData(event.currentTarget).get('token')
          if (typeof token === 'string') void enter(token.trim())
        }}
      >
        <input
          name="token"
          type="password"
          aria-label="Your token"
          placeholder="Your token"
          autoComplete="off"
        />
        <Button type="submit" look="primary">
          Come in
        </Button>
      </form>
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </main>
  )
}
