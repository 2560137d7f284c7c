import type { ComponentProps } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'quiet'
}

export function Button({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${styles.button} ${styles[look] ?? ''} ${className}`} {...rest} />
}
