import { cx } from './cx.ts'

type Props = {
  label: string
  value: number
  /** The value at the end. */
  max?: number
  className?: string
}

/** Bar in the colors of the page; browsers draw their own in green or blue. */
export function Progress({ label, value, max = 1, className }: Props) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={Math.max(max, 1)}
      className={cx(
        'h-2 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent',
        className,
      )}
    />
  )
}
