export type Tone = 'neutral' | 'ok' | 'danger'
/** Action of a toast, such as undo. */
export type ToastAction = { label: string; run: () => void }
export type ToastMessage = { id: number; text: string; tone: Tone; action?: ToastAction }

const listeners = new Set<() => void>()
let messages: readonly ToastMessage[] = []
let lastId = 0

function publish(next: readonly ToastMessage[]) {
  messages = next
  for (const listener of listeners) listener()
}

/** Short messages that any part of the application may leave for the person. */
export const toasts = {
  get: () => messages,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  add(text: string, tone: Tone = 'neutral', action?: ToastAction) {
    lastId += 1
    const others = messages.filter((message) => message.text !== text)
    publish([...others, { id: lastId, text, tone, ...(action && { action }) }].slice(-3))
  },
  dismiss(id: number) {
    publish(messages.filter((message) => message.id !== id))
  },
}
