import type { ComponentProps } from 'react'
import { cx } from '../lib/cx.ts'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }

/** A square of 44 px with an icon, named for those who do not see it. */
export function IconButton({ label, className, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'grid size-11 shrink-0 place-items-center rounded-control text-muted transition-colors print:hidden',
        'hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-55',
        className,
      )}
    />
  )
}
