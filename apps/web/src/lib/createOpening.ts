export type Opening = {
  get: () => boolean
  set: (isOpen: boolean) => void
  subscribe: (listener: () => void) => () => void
}

/** Whether something stands open that any part of the application may open. */
export function createOpening(): Opening {
  const listeners = new Set<() => void>()
  let isOpen = false
  return {
    get: () => isOpen,
    set(next) {
      if (isOpen === next) return
      isOpen = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
