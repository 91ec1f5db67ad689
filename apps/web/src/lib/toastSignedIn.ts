import type { User } from '@countersign/react'
import { toasts } from './toasts.ts'

/** Says who is signed in now, and offers to take it back. */
export function toastSignedIn({ username }: User, signOut: () => void, isNew = false): void {
  const text = isNew ? `Welcome! You are signed in as ${username}.` : `Signed in as ${username}.`
  toasts.add(text, 'ok', { label: 'Undo', run: signOut })
}
