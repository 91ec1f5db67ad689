import { Card } from './Card.tsx'
import { Skeleton } from './Skeleton.tsx'

/** A list on its way: rows of the size that is about to come. `bare`: within a card that is there already. */
export function RowsSkeleton({ label, bare = false }: { label: string; bare?: boolean }) {
  const Frame = bare ? 'div' : Card
  return (
    <Frame aria-busy="true" className="animate-wait">
      <span role="status" className="sr-only">
        {label}
      </span>
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex items-center gap-4 py-4">
          <Skeleton className="size-11" />
          <div className="flex-1">
            <Skeleton className="h-4 w-44" />
            <Skeleton className="mt-2 h-3.5 w-64 max-w-full" />
          </div>
        </div>
      ))}
    </Frame>
  )
}
