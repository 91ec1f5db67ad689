import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

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

type CardHeaderProps = {
  id?: string
  title: string
  level?: 'h2' | 'h3'
  aside?: ReactNode
  /** Set if the side contains only an icon, which always fits. */
  isNarrow?: boolean
  children?: ReactNode
}

/** The title of a card, one sentence about it, and at its side what it offers. */
export function CardHeader({ id, title, level: Heading = 'h2', aside, isNarrow = false, children }: CardHeaderProps) {
  return (
    <div className="flex not-last:mb-5 flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className={cx('min-w-0 max-w-prose flex-1', isNarrow ? 'basis-40' : 'basis-64')}>
        <Heading id={id} className={Heading === 'h2' ? 'text-lg' : 'text-base'}>
          {title}
        </Heading>
        {children && <p className="mt-1 text-sm text-muted">{children}</p>}
      </div>
      {aside}
    </div>
  )
}
