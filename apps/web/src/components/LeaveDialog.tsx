import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Asks before unsaved changes are left behind, by a link here or by closing the page. */
export function LeaveDialog({ when }: { when: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    // Whoever is sent away because the session ended cannot save any more.
    if (nextLocation.pathname === '/sign-in') return false
    return when && currentLocation.pathname !== nextLocation.pathname
  })
  useEffect(() => {
    if (!when) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [when])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description="Your changes on this page are not saved yet."
      confirm="Leave"
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
