import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type MethodRowProps = {
  id: string
  icon: LucideIcon
  title: string
  status: ReactNode
  action?: ReactNode
  /** Details, below. */
  children?: ReactNode
}

/** One sign-in method: what it is, how it stands, and one thing to do about it. */
export function MethodRow({ id, icon: Icon, title, status, action, children }: MethodRowProps) {
  return (
    <li className="py-4">
      <div className="flex items-center gap-3.5">
        <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted max-sm:hidden">
          <Icon size={20} aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <h3 id={id} className="text-base">
            {title}
          </h3>
          <p className="text-sm text-muted">{status}</p>
        </div>
        {action}
      </div>
      {children}
    </li>
  )
}
