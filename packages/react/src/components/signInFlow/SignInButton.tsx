'use client'

import { type ReactNode, useState } from 'react'
import { loadOnce } from '../../core/platform/loadOnce.ts'
import { useSession } from '../../hooks/session/useSession.ts'
import { useI18n } from '../i18n/useI18n.ts'
import type { SignInSheetProps } from './SignInSheet.tsx'

export type SignInButtonProps = Omit<SignInSheetProps, 'open' | 'onClose' | 'purpose'> & {
  readonly className?: string
  readonly children?: ReactNode
}

const loadSheet = /*#__PURE__*/ loadOnce(async () => (await import('./SignInSheet.tsx')).SignInSheet)

/**
 * A button that opens the sign-in sheet. It shows nothing while a user is signed in, or may be. The sheet itself is
 * loaded when the pointer or the focus reaches the button.
 *
 * @example
 * import { SignInButton } from '@countersign/react/sheet'
 * import '@countersign/react/sheet.css'
 *
 * <SignInButton onDone={(user, { isNew }) => console.log(isNew ? 'Welcome' : 'Welcome back', user.username)} />
 */
export function SignInButton({ className = 'cs-button', children, ...sheet }: SignInButtonProps) {
  const { status } = useSession()
  const speech = useI18n(sheet)
  const [isOpen, setOpen] = useState(false)
  const [Sheet, setSheet] = useState<Awaited<ReturnType<typeof loadSheet>>>()
  const [hasFailed, setFailed] = useState(false)
  if (!speech || (!isOpen && (status === 'undefined' || status === 'authenticated'))) return null

  const prepare = () => loadSheet().then((loaded) => setSheet(() => loaded))
  const prepareEarly = () => void prepare().catch(() => undefined)
  const open = () => {
    setOpen(true)
    setFailed(false)
    prepare().catch(() => {
      setOpen(false)
      setFailed(true)
    })
  }
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-busy={isOpen && !Sheet}
        onPointerEnter={prepareEarly}
        onFocus={prepareEarly}
        onClick={open}
      >
        {children ?? speech.say('signIn')}
      </button>
      {hasFailed && <span role="alert">{speech.say('offline')}</span>}
      {Sheet && <Sheet {...sheet} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
