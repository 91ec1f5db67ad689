import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { commandPalette, keyHelp } from './commandPalette.ts'

type Loaded = { Palette: ComponentType<{ open: boolean }>; Keys: ComponentType<{ open: boolean }> }

/** Host of the command palette and the key help, with the keys that open them. Their code is loaded on first use. */
export function CommandHost() {
  const isPaletteOpen = useSyncExternalStore(commandPalette.subscribe, commandPalette.get)
  const isHelpOpen = useSyncExternalStore(keyHelp.subscribe, keyHelp.get)
  const [loaded, setLoaded] = useState<Loaded>()
  const isWanted = isPaletteOpen || isHelpOpen

  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  useEffect(() => {
    if (!isWanted || loaded) return
    Promise.all([import('./CommandPalette.tsx'), import('./KeyHelpDialog.tsx')]).then(
      ([{ CommandPalette }, { KeyHelpDialog }]) => setLoaded({ Palette: CommandPalette, Keys: KeyHelpDialog }),
      () => {
        commandPalette.set(false)
        keyHelp.set(false)
        toasts.add(t('The commands could not be loaded. Check your connection.'), 'danger')
      },
    )
  }, [isWanted, loaded])

  if (!loaded) return null
  return (
    <>
      <loaded.Palette open={isPaletteOpen} />
      <loaded.Keys open={isHelpOpen} />
    </>
  )
}

function onKey(event: KeyboardEvent) {
  const isCommand =
    event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)
  if (!isCommand && !isHelp) return
  // A second dialog would be open at the same time.
  if (!commandPalette.get() && document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]')) return
  event.preventDefault()
  if (isHelp) keyHelp.set(true)
  else commandPalette.set(!commandPalette.get())
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
