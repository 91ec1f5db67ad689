import type { ReactNode } from 'react'

type Props = { id?: string; title: string; aside?: ReactNode; children?: ReactNode }

/** The title of a card, one sentence about it, and at its side what it offers. */
export function CardHeader({ id, title, aside, children }: Props) {
  return (
    <div className="flex not-last:mb-5 flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-prose flex-1 basis-64">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {children && <p className="mt-1 text-sm text-muted">{children}</p>}
      </div>
      {aside}
    </div>
  )
}
