/** A value that can be read and watched: the one observer pattern of this package. */
export type Store<Value> = {
  readonly get: () => Value
  /** Calls the listener after each change; returns a function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
}

export type WritableStore<Value> = Store<Value> & { readonly set: (value: Value) => void }

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

// A throwing listener must not turn a successful sign-in into a failure.
function notify(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
