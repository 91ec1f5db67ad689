/** The command palette, which a key opens on every screen. There is one. */
export const commandPalette = createOpenState()

/** The list of keys, which `?` opens on every screen. There is one. */
export const keyHelp = createOpenState()

type OpenState = {
  get: () => boolean
  set: (isOpen: boolean) => void
  subscribe: (listener: () => void) => () => void
}

/** Open state that any part of the application may set. */
function createOpenState(): OpenState {
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
