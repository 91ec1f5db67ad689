import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

type Tone = 'info' | 'ok' | 'warn' | 'danger'
type Props = { tone?: Tone; title?: string; children?: ReactNode; actions?: ReactNode; className?: string }

const looks: Record<Tone, { icon: typeof Info; box: string; mark: string }> = {
  info: { icon: Info, box: 'bg-accent-soft border-accent/25', mark: 'text-accent' },
  ok: { icon: CircleCheck, box: 'bg-ok-soft border-ok/25', mark: 'text-ok' },
  warn: { icon: TriangleAlert, box: 'bg-warn-soft border-warn/30', mark: 'text-warn' },
  danger: { icon: OctagonAlert, box: 'bg-danger-soft border-danger/30', mark: 'text-danger' },
}

/** A message within the page. Only the red kind interrupts a screen reader. */
export function Alert({ tone = 'info', title, children, actions, className }: Props) {
  const { icon: Icon, box, mark } = looks[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex animate-appear gap-3 rounded-control border p-3.5 text-sm', box, className)}
    >
      <Icon size={19} aria-hidden="true" className={cx('mt-px shrink-0', mark)} />
      <div className="min-w-0 flex-1 break-words">
        {title && <p className="font-semibold">{title}</p>}
        {children}
        {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
