import { say } from '../lib/say.ts'
import { Logo } from './Logo.tsx'
import { Skeleton } from './Skeleton.tsx'

/** Shown only when the start takes long enough to be noticed. */
export function BootSkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-6xl animate-wait px-4 py-3 sm:px-6 sm:py-4">
      <span className="sr-only">{say('Loading…')}</span>
      <div className="flex min-h-11 items-center justify-between">
        <span className="flex items-center gap-2.5">
          <Logo />
          <Skeleton className="h-5 w-28" />
        </span>
        <Skeleton className="h-10 w-28 rounded-full" />
      </div>
      <div className="mx-auto mt-16 flex max-w-2xl flex-col gap-4 sm:mt-24">
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="mt-4 h-40 w-full rounded-card" />
      </div>
    </div>
  )
}
