import type { User } from '@countersign/react'
import { say } from './say.ts'
import { toasts } from './toasts.ts'

/** Says who is signed in now, and offers to take it back. */
export function toastSignedIn({ username }: User, signOut: () => void, isNew = false): void {
  const text = isNew
    ? say('Welcome! You are signed in as {name}.', { name: username })
    : say('Signed in as {name}.', { name: username })
  toasts.add(text, 'ok', { label: say('Undo'), run: signOut })
}
