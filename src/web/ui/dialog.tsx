/** What stands before everything else until it is closed. The browser's own: it holds the focus, and Escape closes it. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly title: string
  /** Where the content has its own heading, the title is only for whoever hears the page. */
  readonly isTitleShown?: 'shown' | 'heard'
  readonly onClose: () => void
  readonly children: ReactNode
}

export function Dialog({ title, isTitleShown = 'shown', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    // Before it is shown nothing in it can have the focus, and then the first that can gets it.
    opened?.querySelector<HTMLElement>('[data-focus]')?.focus()
    // The browser takes the first there is; where another is meant, it says so.
    opened?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => opened?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className={isTitleShown === 'shown' ? styles.body : undefined}>
        <h2 id={id} className={isTitleShown === 'shown' ? styles.title : 'unseen'}>
          {title}
        </h2>
        {children}
        {isTitleShown === 'shown' ? (
          <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
            ✕
          </button>
        ) : null}
      </div>
    </dialog>
  )
}
