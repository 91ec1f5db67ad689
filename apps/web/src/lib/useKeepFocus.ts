import { useEffect, useRef } from 'react'

/** A row that leaves takes the focus along if it holds it: the page's heading gets it then. */
export function useKeepFocus(rows: number): void {
  const before = useRef(rows)
  useEffect(() => {
    if (rows < before.current && document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    before.current = rows
  }, [rows])
}
