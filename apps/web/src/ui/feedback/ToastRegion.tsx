import { CircleCheck, Info, OctagonAlert, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../Button.tsx'
import { type ToastMessage, toasts } from './toasts.ts'

/** Present from the start: a live region that appears together with its text is not announced. */
export function ToastRegion() {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <div
      role="status"
      aria-live="polite"
      // Above the bar that saves: what is said must not lie over what is to be pressed.
      className="print:hidden pointer-events-none fixed inset-x-4 bottom-20 z-60 flex flex-col items-end gap-2 md:bottom-6 md:start-auto md:end-6 [body:has([data-unsaved])_&]:bottom-50 md:[body:has([data-unsaved])_&]:bottom-26"
    >
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  )
}

const shownFor = 8_000
const icons = { neutral: Info, ok: CircleCheck, danger: OctagonAlert }
const marks = { neutral: 'text-accent', ok: 'text-ok', danger: 'text-danger' }

/** Disappears automatically, unless a pointer rests on it or it has the focus. */
function Toast({ message }: { message: ToastMessage }) {
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
      <IconButton label={t('Dismiss')} onClick={() => toasts.dismiss(message.id)}>
        <X size={17} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
