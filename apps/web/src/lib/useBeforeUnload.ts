import { useEffect } from 'react'

/** Lets the browser ask before the page is closed, while `when` holds. */
export function useBeforeUnload(when: boolean): void {
  useEffect(() => {
    if (!when) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [when])
}
