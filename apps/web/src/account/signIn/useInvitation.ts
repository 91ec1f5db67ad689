import { type Client, useClient } from '@countersign/react'
import { acceptInvitation } from '@countersign/react/account'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'

const key = 'countersign.invitation'

/** The invitation that the page was opened with. A provider that the page goes to and comes back from does not lose it. */
export function useInvitation(): string | undefined {
  const [search] = useSearchParams()
  const client = useClient()
  const token = search.get('invitation') ?? readKept()
  useEffect(() => {
    if (token) keep(client, token)
  }, [client, token])
  return token
}

function keep(client: Client, token: string): void {
  acceptInvitation(client, { token })
  write(token)
  const stop = client.session.subscribe(() => {
    if (client.session.get().status !== 'authenticated') return
    stop()
    write('')
  })
}

/** An invalid invitation must not block a sign-up that needs none. */
export function forgetInvitation(client: Client): void {
  acceptInvitation(client, { token: '' })
  write('')
}

function readKept(): string | undefined {
  try {
    return sessionStorage.getItem(key) || undefined
  } catch {
    return undefined
  }
}

function write(token: string): void {
  try {
    sessionStorage.setItem(key, token)
  } catch {
    // Without it the invitation lasts as long as the page.
  }
}
