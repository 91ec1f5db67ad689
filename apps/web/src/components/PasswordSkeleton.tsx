import { Card } from './Card.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The password's card on its way, as large as with two fields. */
export function PasswordSkeleton({ label }: { label: string }) {
  return (
    <Card aria-busy="true" className="animate-wait">
      <span role="status" className="sr-only">
        {label}
      </span>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="mt-3 h-3.5 w-64 max-w-full" />
      {[1, 2].map((field) => (
        <div key={field} className="mt-5 max-w-md">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="mt-2 h-11" />
        </div>
      ))}
      <Skeleton className="mt-11 h-11 w-40" />
    </Card>
  )
}
