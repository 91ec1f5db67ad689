import type { ComponentProps } from 'react'
import { cx } from '../lib/cx.ts'

type Props = ComponentProps<'section'> & { tone?: 'plain' | 'danger' }

export function Card({ className, tone = 'plain', ...rest }: Props) {
  return (
    <section
      {...rest}
      className={cx(
        'rounded-card border bg-surface p-5 shadow-card sm:p-7',
        tone === 'danger' ? 'border-danger/45' : 'border-line',
        className,
      )}
    />
  )
}
