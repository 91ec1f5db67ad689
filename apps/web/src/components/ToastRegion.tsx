import { useSyncExternalStore } from 'react'
import { toasts } from '../lib/toasts.ts'
import { Toast } from './Toast.tsx'

/** Stands in the page from the start: a live region that appears together with its text is not announced. */
export function ToastRegion() {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <div
      role="status"
      aria-live="polite"
      // Above the bar that saves: what is said must not lie over what is to be pressed.
      className="print:hidden pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-end gap-2 md:bottom-6 md:start-auto md:end-6 [body:has([data-unsaved])_&]:bottom-50 md:[body:has([data-unsaved])_&]:bottom-26"
    >
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  )
}
