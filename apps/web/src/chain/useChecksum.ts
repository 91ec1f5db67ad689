import { useEffect, useSyncExternalStore } from 'react'

type Checksum = (address: string) => string

const listeners = new Set<() => void>()
const asIs: Checksum = (address) => address
let loaded: Checksum | undefined

function load() {
  if (loaded) return
  import('./checksumAddress.ts').then(
    ({ checksumAddress }) => {
      loaded = checksumAddress
      for (const listener of listeners) listener()
    },
    () => {
      // Addresses stay in the letters that they came in.
    },
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** `checksumAddress` for screens that must not wait for its code; while that is on its way, addresses stay as they are. */
export function useChecksum(isWanted = true): Checksum {
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted])
  return useSyncExternalStore(subscribe, () => loaded) ?? asIs
}
