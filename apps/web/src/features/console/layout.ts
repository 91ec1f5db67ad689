import { useSyncExternalStore } from 'react'

/** Layout of the console in this browser. */
export type Layout = { isNarrow: boolean; isCompact: boolean }

const key = 'countersign.console.layout'
const listeners = new Set<() => void>()
let current = read()

/** Anyone who uses this browser may have written to it. */
function read(): Layout {
  try {
    const { isNarrow, isCompact } = Object(JSON.parse(localStorage.getItem(key) ?? '{}')) as Partial<Layout>
    return { isNarrow: isNarrow === true, isCompact: isCompact === true }
  } catch {
    return { isNarrow: false, isCompact: false }
  }
}

export function changeLayout(change: Partial<Layout>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(key, JSON.stringify(current))
  } catch {
    // Kept until the page is closed.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLayout = (): Layout => useSyncExternalStore(subscribe, () => current)
