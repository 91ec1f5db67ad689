import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { say } from '../lib/say.ts'
import { type SheetState, signInSheet } from '../lib/signInSheet.ts'
import { toasts } from '../lib/toasts.ts'

/** Where the sign-in sheet stands: beside the screens, so that it outlives the one it was opened on. */
export function SignInHost() {
  const state = useSyncExternalStore(signInSheet.subscribe, signInSheet.get)
  const [loaded, setLoaded] = useState<{ Panel: ComponentType<{ state: SheetState }> }>()
  const isOpen = state.status === 'open'
  const wasOpen = useRef(false)

  useEffect(() => {
    if (!isOpen || loaded) return
    import('./SignInPanel.tsx').then(
      ({ SignInPanel }) => setLoaded({ Panel: SignInPanel }),
      () => {
        signInSheet.close()
        toasts.add(say('Signing in could not be loaded. Check your connection.'), 'danger')
      },
    )
  }, [isOpen, loaded])

  useEffect(() => {
    // The button that opened it may be gone, as after signing in: the page's heading takes the focus instead.
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])

  return loaded ? <loaded.Panel state={state} /> : null
}
