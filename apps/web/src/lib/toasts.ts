export type Tone = 'neutral' | 'ok' | 'danger'
export type ToastMessage = { id: number; text: string; tone: Tone }

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
  add(text: string, tone: Tone = 'neutral') {
    lastId += 1
    publish([...messages.filter((message) => message.text !== text), { id: lastId, text, tone }].slice(-3))
  },
  dismiss(id: number) {
    publish(messages.filter((message) => message.id !== id))
  },
}
