import { cx } from './cx.ts'

export type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent shadow-card hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
  'danger-quiet': 'border border-danger bg-surface text-danger hover:bg-danger-soft',
}

/** The one look of everything that is pressed, shared by buttons and by links that lead on. */
export function buttonClass(look: ButtonLook = 'primary', className?: string): string {
  return cx(
    'relative inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4.5 text-sm font-semibold',
    'transition-colors duration-150 select-none print:hidden',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress',
    looks[look],
    className,
  )
}
