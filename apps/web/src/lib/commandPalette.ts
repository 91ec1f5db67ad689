const listeners = new Set<() => void>()
let isOpen = false

function publish(next: boolean) {
  if (isOpen === next) return
  isOpen = next
  for (const listener of listeners) listener()
}

/** The command palette, which a key opens on every screen. There is one. */
export const commandPalette = {
  get: () => isOpen,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  set: publish,
}
