import { useEffect, useSyncExternalStore } from 'react'

const shown = new Map<object, number>()
const listeners = new Set<() => void>()
let oldest: number | undefined

function notify() {
  oldest = shown.size > 0 ? Math.min(...shown.values()) : undefined
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Time (ms) of the oldest data on the screen that was kept on the device; undefined if all of it is current. */
export function useKeptSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => oldest)
}

/** Says that a screen shows data that was kept on the device, for the line at the top of the page. */
export function useShowsKept({ readAt }: { readonly readAt?: number | undefined }): void {
  useEffect(() => {
    if (readAt === undefined) return
    const own = {}
    shown.set(own, readAt)
    notify()
    return () => {
      shown.delete(own)
      notify()
    }
  }, [readAt])
}
