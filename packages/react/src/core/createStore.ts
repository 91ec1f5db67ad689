import type { WritableStore } from './Store.ts'

export function createStore<Value>(initial: Value): WritableStore<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) notify(listener)
    },
    subscribe(listener) {
      const entry = () => listener()
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
  }
}

// A listener that throws must not turn a sign-in that succeeded into one that failed.
function notify(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
