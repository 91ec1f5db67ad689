import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { RowsSkeleton } from '../RowsSkeleton.tsx'
import { Skeleton } from '../Skeleton.tsx'

export function PortfolioSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Card aria-hidden="true" className="animate-wait">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="mt-2 h-9 w-52" />
        <Skeleton className="mt-3 h-4 w-72 max-w-full" />
      </Card>
      <Card aria-hidden="true" className="animate-wait">
        <Skeleton className="h-72" />
      </Card>
      <RowsSkeleton label={say('Loading your portfolio…')} />
    </div>
  )
}
