import { Link, type LinkProps } from 'react-router'
import { cx } from '../lib/cx.ts'

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
