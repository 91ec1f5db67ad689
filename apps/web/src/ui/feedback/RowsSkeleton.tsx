import { Card } from '../Card.tsx'
import { Skeleton } from './Skeleton.tsx'

type Props = {
  /** Said once, where several stand for one thing. */
  label?: string
  /** Within a card that is there already. */
  bare?: boolean
  rows?: number
  /** With the card's own title and sentence above the rows. */
  titled?: boolean
  /** Rows with a line more and buttons below. */
  tall?: boolean
}

/** A list on its way: rows of the size that is about to come. */
export function RowsSkeleton({ label, bare = false, rows = 3, titled = false, tall = false }: Props) {
  const Frame = bare ? 'div' : Card
  return (
    <Frame aria-busy="true" className="animate-wait">
      {label && (
        <span role="status" className="sr-only">
          {label}
        </span>
      )}
      {titled && (
        <div className="mb-4">
          <Skeleton className="h-5 w-36" />
          <Skeleton className="mt-3 h-3.5 w-80 max-w-full" />
        </div>
      )}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike and never move
        <div key={row} className={tall ? 'flex items-start gap-4 py-5' : 'flex items-center gap-4 py-4'}>
          <Skeleton className={tall ? 'size-11 shrink-0 max-sm:hidden' : 'size-11 shrink-0'} />
          <div className="min-w-0 flex-1">
            <Skeleton className="h-4 w-44" />
            <Skeleton className="mt-2 h-3.5 w-64 max-w-full" />
            {tall && (
              <>
                <Skeleton className="mt-2 h-3.5 w-80 max-w-full" />
                <Skeleton className="mt-5 h-11 w-52" />
              </>
            )}
          </div>
        </div>
      ))}
    </Frame>
  )
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="animate-wait">
      <span role="status" className="sr-only">
        {label}
      </span>
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="my-3 h-14" />
      ))}
    </div>
  )
}
