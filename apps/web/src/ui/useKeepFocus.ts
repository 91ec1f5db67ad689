import { useEffect, useRef } from 'react'

/** How long a dialog takes to close and hand the focus back. */
const closing = 300

/**
 * A row that leaves takes the focus along if it holds it, and so does the button for the first one: the page's heading
 * gets it then. `undefined` while the rows are not known.
 */
export function useKeepFocus(rows: number | undefined): void {
  const before = useRef(rows)
  useEffect(() => {
    const former = before.current
    before.current = rows
    if (former === undefined || rows === undefined || (rows >= former && former > 0)) return
    keep()
    const timer = setTimeout(keep, closing)
    return () => clearTimeout(timer)
  }, [rows])
}

function keep() {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}
