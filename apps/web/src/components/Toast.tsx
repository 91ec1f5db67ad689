import { CircleCheck, Info, OctagonAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { say } from '../lib/say.ts'
import { type ToastMessage, toasts } from '../lib/toasts.ts'
import { IconButton } from './IconButton.tsx'

const shownFor = 8_000
const icons = { neutral: Info, ok: CircleCheck, danger: OctagonAlert }
const marks = { neutral: 'text-accent', ok: 'text-ok', danger: 'text-danger' }

/** Leaves by itself, unless a pointer rests on it or it holds the focus. */
export function Toast({ message }: { message: ToastMessage }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => toasts.dismiss(message.id), shownFor)
    return () => clearTimeout(timer)
  }, [held, message.id])
  const { action } = message
  const Icon = icons[message.tone]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding the toast is a convenience; its button is the control
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-appear items-center gap-3 rounded-control border border-line bg-surface ps-4 text-sm shadow-float sm:w-88"
    >
      <Icon size={19} aria-hidden="true" className={`shrink-0 ${marks[message.tone]}`} />
      <p className="min-w-0 flex-1 py-3 font-medium break-words">{message.text}</p>
      {action && (
        <button
          type="button"
          onClick={() => {
            toasts.dismiss(message.id)
            action.run()
          }}
          className="min-h-11 shrink-0 rounded-control px-3 font-semibold text-accent transition-colors hover:bg-sunken"
        >
          {action.label}
        </button>
      )}
      <IconButton label={say('Dismiss')} onClick={() => toasts.dismiss(message.id)}>
        <X size={17} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
