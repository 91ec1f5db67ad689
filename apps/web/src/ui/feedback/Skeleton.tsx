import { cx } from '../cx.ts'

/** Holds the place of something whose size is known. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-waiting
      className={cx('block animate-breathe rounded-control bg-sunken', className)}
    />
  )
}
