'use client'

import { type ReactNode, useState } from 'react'
import { useSession } from '../../hooks/session/useSession.ts'
import { useI18n } from '../i18n/useI18n.ts'
import { SignInSheet, type SignInSheetProps } from './SignInSheet.tsx'

export type SignInButtonProps = Omit<SignInSheetProps, 'open' | 'onClose' | 'purpose'> & {
  readonly className?: string
  readonly children?: ReactNode
}

/**
 * A button that opens the sign-in sheet. It shows nothing while a user is signed in, or may be.
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
  if (!speech || (!isOpen && (status === 'undefined' || status === 'authenticated'))) return null
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children ?? speech.say('signIn')}
      </button>
      <SignInSheet {...sheet} open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
