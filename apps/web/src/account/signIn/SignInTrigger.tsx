import { type ComponentType, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, type ButtonProps } from '../../ui/Button.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { type SheetState, signInSheet } from './signInSheet.ts'

const preload = () => {
  import('./SignInPanel.tsx').catch(() => {
    // The press retries and shows the error.
  })
}

type Props = Omit<ButtonProps, 'onClick' | 'pending' | 'children'> & {
  /** Title of the sheet, too, where it shows one method. */
  label: string
  icon?: ReactNode
  /** The page itself offers everything else. */
  only?: 'wallets'
}

/** Opens the sign-in sheet; its code is fetched when a person reaches for it. */
export function SignInTrigger({ label, icon, only, ...props }: Props) {
  return (
    <Button
      aria-haspopup="dialog"
      {...props}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => signInSheet.open(only && { only, title: label })}
    >
      {icon}
      {label}
    </Button>
  )
}

/** Host of the sign-in sheet, outside of the screens, so that it outlives the one it was opened on. */
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
        toasts.add(t('Sign-in could not be loaded. Check your connection.'), 'danger')
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
