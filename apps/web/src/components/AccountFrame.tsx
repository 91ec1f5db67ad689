import { type ReactNode, Suspense } from 'react'
import { AccountNav } from './AccountNav.tsx'
import { Main } from './Main.tsx'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'

/** The account area: navigation at the side, on phones at the bottom under the thumb. */
export function AccountFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid print:block w-full max-w-6xl gap-x-10 px-4 pt-4 pb-10 sm:px-6 md:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-x-14">
      <AccountNav />
      <Main className="min-w-0">
        <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
      </Main>
    </div>
  )
}
