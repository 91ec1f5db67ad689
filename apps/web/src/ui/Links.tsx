import { Link, type LinkProps } from 'react-router'
import { cx } from './cx.ts'

/** A link within text: underlined, so that it is known without its colour. */
export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link
      {...rest}
      className={cx(
        'rounded-sm font-semibold text-accent underline decoration-accent/40 underline-offset-4',
        'hover:text-accent-strong hover:decoration-current',
        className,
      )}
    />
  )
}

type Props = { href: string; label: string; className?: string }

/** A link out of the application, to a page of its operator. */
export function ExternalLink({ href, label, className }: Props) {
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
