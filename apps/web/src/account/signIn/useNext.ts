import { useLocation } from 'react-router'

/** Page of a link that makes an operator. The link works once, so every way to an account leads back to it. */
const claimPath = '/admin/claim'

/** The place to go to after sign-in or sign-up, wherever these were started. */
export function useNext(): string | null {
  const { pathname, search, hash } = useLocation()
  return pathname === claimPath ? pathname + hash : new URLSearchParams(search).get('next')
}

export function isClaim(next: string | null): boolean {
  return next?.startsWith(`${claimPath}#`) ?? false
}
