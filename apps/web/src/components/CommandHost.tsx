import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { commandPalette } from '../lib/commandPalette.ts'
import { toasts } from '../lib/toasts.ts'
import { say } from '../lib/say.ts'

/** Where the command palette stands, and the key that opens it. Its code comes with the first use. */
export function CommandHost() {
  const isOpen = useSyncExternalStore(commandPalette.subscribe, commandPalette.get)
  const [loaded, setLoaded] = useState<{ Palette: ComponentType<{ open: boolean }> }>()

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // Over another dialog it would leave two things to answer at once.
      if (!commandPalette.get() && document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      commandPalette.set(!commandPalette.get())
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  useEffect(() => {
    if (!isOpen || loaded) return
    import('./CommandPalette.tsx').then(
      ({ CommandPalette }) => setLoaded({ Palette: CommandPalette }),
      () => {
        commandPalette.set(false)
        toasts.add(say('The commands could not be loaded. Check your connection.'), 'danger')
      },
    )
  }, [isOpen, loaded])

  return loaded ? <loaded.Palette open={isOpen} /> : null
}
