import type { ReactNode } from 'react'
import { Card } from './Card.tsx'
import { HeroPattern } from './HeroPattern.tsx'
import { Main, PageHeading, PageTitle } from './Page.tsx'

type Props = { title: string; intro?: ReactNode; footer?: ReactNode; children: ReactNode }

/** The one card of every screen before the account: sign in, sign up, reset, verify. */
export function AuthFrame({ title, intro, footer, children }: Props) {
  return (
    <Main className="relative flex flex-1 flex-col items-center overflow-hidden px-4 pt-6 pb-12 sm:pt-14">
      <PageTitle>{title}</PageTitle>
      <HeroPattern className="pointer-events-none absolute -top-24 left-1/2 -z-10 size-[48rem] max-w-none -translate-x-1/2 opacity-40 [mask-image:radial-gradient(closest-side,black_35%,transparent_92%)] dark:opacity-25" />
      <Card className="w-full max-w-[27rem]">
        {/* Another title is another page to users who cannot see it change: it takes the focus again. */}
        <PageHeading key={title} className="text-2xl">
          {title}
        </PageHeading>
        {intro && <p className="mt-2 text-sm text-muted">{intro}</p>}
        <div className="mt-6">{children}</div>
      </Card>
      {footer && <p className="mt-6 text-center text-sm text-muted">{footer}</p>}
    </Main>
  )
}
