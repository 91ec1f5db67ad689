import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { id: string; label: ReactNode; aside?: ReactNode; hint?: ReactNode; error?: string; children: ReactNode }

/** Label above, hint and error below; the error's id is what the input names in `aria-describedby`. */
export function FieldFrame({ id, label, aside, hint, error, children }: Props) {
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-xs font-medium text-danger">
          <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}
