/** What will be here has this size: nothing moves when it comes. */
import styles from './skeleton.module.css'

export function Skeleton({ width = '100%', height }: { readonly width?: string; readonly height?: number }) {
  return (
    <span
      className={styles.bar}
      style={{ width, ...(height === undefined ? {} : { height }) }}
      aria-hidden="true"
    />
  )
}
