import type { ComponentProps, MouseEvent } from 'react'
import { Link, type LinkProps } from 'react-router'
import { cx } from './cx.ts'

export type ButtonProps = ComponentProps<'button'> & { look?: ButtonLook; pending?: boolean }

/** While pending it keeps its width and its focus, and does nothing. */
export function Button({ look, pending = false, className, children, onClick, type = 'button', ...rest }: ButtonProps) {
  // A disabled element would drop the keyboard focus to the page's start, so pending only refuses the press.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      onClick={press}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      className={buttonClass(look, className)}
    >
      <span className={cx('inline-flex items-center justify-center gap-2', pending && 'opacity-0')}>{children}</span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

export function ButtonLink({ look, className, ...rest }: LinkProps & { look?: ButtonLook }) {
  return <Link {...rest} className={buttonClass(look, className)} />
}

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }

/** A square of 44 px with an icon, and a name for screen readers. */
export function IconButton({ label, className, type = 'button', ...rest }: Props) {
  return <button {...rest} type={type} aria-label={label} title={label} className={cx(iconClass, className)} />
}

/** As `IconButton`, leading somewhere. */
export function IconLink({ label, className, ...rest }: Omit<LinkProps, 'aria-label'> & { label: string }) {
  return <Link {...rest} aria-label={label} title={label} className={cx(iconClass, className)} />
}

const iconClass =
  'grid size-11 shrink-0 place-items-center rounded-control text-muted transition-colors print:hidden ' +
  'hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-55'

type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent shadow-card hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
  'danger-quiet': 'border border-danger bg-surface text-danger hover:bg-danger-soft',
}

/** The one look of everything that is pressed, shared by buttons and by links that lead on. */
function buttonClass(look: ButtonLook = 'primary', className?: string): string {
  return cx(
    'relative inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4.5 text-sm font-semibold',
    'transition-colors duration-150 select-none print:hidden',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress',
    looks[look],
    className,
  )
}

/** Spinner of a running action. Hidden from screen readers: its control has a label. */
export function Spinner({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" className="animate-spin">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
