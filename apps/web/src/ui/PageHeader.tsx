import type { ReactNode } from 'react'
import { PageHeading, PageTitle } from './Page.tsx'

type Props = { title: string; children?: ReactNode; aside?: ReactNode }

/** The page's one h1, which takes the focus after a navigation. */
export function PageHeader({ title, children, aside }: Props) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-4 sm:mb-8">
      <PageTitle>{title}</PageTitle>
      <div className="min-w-0 max-w-2xl flex-1 basis-60">
        <PageHeading key={title} className="text-2xl wrap-anywhere sm:text-3xl">
          {title}
        </PageHeading>
        {children && <p className="mt-2 text-muted">{children}</p>}
      </div>
      {aside}
    </div>
  )
}
