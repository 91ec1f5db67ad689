import type { User } from '@countersign/react'
import { type ComponentType, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../i18n/translate.ts'
import { toasts } from '../ui/feedback/toasts.ts'
import { AccountButton } from './AccountButton.tsx'
import type { AccountMenuPopupProps, TakeOver } from './AccountMenuPopup.tsx'

type Loaded = { Popup: ComponentType<AccountMenuPopupProps>; takeOver: TakeOver }

/** The menu's code is fetched when a person reaches for it: the first page stays light. */
export function AccountMenu({ user }: { user: User }) {
  const [loaded, setLoaded] = useState<Loaded>()
  const button = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  const released = useRef<Promise<void>>(undefined)

  const reach = async () => {
    try {
      const { AccountMenuPopup } = await import('./AccountMenuPopup.tsx')
      // A button that is replaced between press and release never hears its click.
      await released.current
      const focused = document.activeElement === button.current
      const takeOver = pressed.current ? 'press' : focused ? 'focus' : 'nothing'
      // At once: drawn a moment later, it could still come between a press and its release.
      flushSync(() => setLoaded({ Popup: AccountMenuPopup, takeOver }))
    } catch {
      if (pressed.current) toasts.add(t('The menu could not be loaded. Check your connection.'), 'danger')
      pressed.current = false
    }
  }

  if (loaded) return <loaded.Popup user={user} takeOver={loaded.takeOver} />
  return (
    <AccountButton
      ref={button}
      username={user.username}
      aria-expanded={false}
      onPointerEnter={() => void reach()}
      onFocus={() => void reach()}
      onPointerDown={() => {
        released.current = untilReleased()
      }}
      onClick={() => {
        pressed.current = true
        void reach()
      }}
    />
  )
}

/** Resolves once the click that follows the release has been heard. */
function untilReleased(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
      setTimeout(resolve, 50)
    }
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
  })
}
