import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonLook, buttonClass } from '../lib/buttonClass.ts'
import { cx } from '../lib/cx.ts'
import { Spinner } from './Spinner.tsx'

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
