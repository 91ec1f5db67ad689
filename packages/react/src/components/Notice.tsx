import type { ReactNode } from 'react'

type Props = { tone: 'info' | 'quiet' | 'warn' | 'error'; title?: string; children?: ReactNode }

/** A message among the ways in. Only an error interrupts a screen reader. */
export function Notice({ tone, title, children }: Props) {
  return (
    <div className="cs-notice" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
