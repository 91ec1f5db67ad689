import { cx } from '../cx.ts'

/** Placeholder of known size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-waiting
      className={cx('block animate-breathe rounded-control bg-sunken', className)}
    />
  )
}
