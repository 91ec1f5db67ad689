import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = { to: string; icon: LucideIcon; title: string; children: ReactNode }

/** A way into a part of the account; the whole card is the link. */
export function PlaceCard({ to, icon: Icon, title, children }: Props) {
  return (
    <Link
      to={to}
      className="group relative flex items-start gap-4 rounded-card border border-line bg-surface p-5 shadow-card transition-colors hover:border-edge sm:flex-col sm:last:odd:col-span-full"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
        <Icon size={20} aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1 max-sm:pe-8">
        <span className="block font-semibold">{title}</span>
        <span className="mt-0.5 block text-sm text-muted">{children}</span>
      </span>
      <ChevronRight
        size={18}
        aria-hidden="true"
        className="absolute end-5 top-6 text-muted transition-transform group-hover:translate-x-0.5 rtl:-scale-x-100"
      />
    </Link>
  )
}
