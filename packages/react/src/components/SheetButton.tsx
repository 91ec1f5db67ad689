import type { ComponentProps, MouseEvent } from 'react'

type Props = ComponentProps<'button'> & { look?: 'primary' | 'secondary' | 'quiet'; pending?: boolean }

/** While pending it keeps its width and its focus, and does nothing. */
export function SheetButton({ look = 'primary', pending = false, type = 'button', onClick, children, ...rest }: Props) {
  // A disabled element would drop the keyboard focus, so pending only refuses the press.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      className="cs-button"
      data-look={look}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={press}
    >
      {children}
    </button>
  )
}
