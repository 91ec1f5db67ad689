import { cx } from '../lib/cx.ts'

type Props = { href: string; label: string; className?: string }

/** A link out of the application, to a page of whoever runs it. */
export function OutLink({ href, label, className }: Props) {
  return (
    <a
      href={href}
      className={cx(
        'rounded-sm font-semibold text-accent underline decoration-accent/40 underline-offset-4',
        'hover:text-accent-strong hover:decoration-current',
        className,
      )}
    >
      {label}
    </a>
  )
}
