import { Skeleton } from '../Skeleton.tsx'

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
