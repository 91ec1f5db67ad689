import type { ProviderRecord } from '@countersign/protocol'
import type { Connector } from '@countersign/react'

export type SheetState =
  | { status: 'closed' }
  | {
      status: 'open'
      purpose: 'signIn' | 'link'
      connector?: Connector
      provider?: ProviderRecord
      only?: 'wallets'
      title?: string
    }

const listeners = new Set<() => void>()
let state: SheetState = { status: 'closed' }

function publish(next: SheetState) {
  state = next
  for (const listener of listeners) listener()
}

/** The sign-in sheet, which any part of the application may open. There is one. */
export const signInSheet = {
  get: () => state,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** With a connector or a provider it starts at once, where a click has chosen that already. `only` where the page has the rest. */
  open(options: Partial<Omit<Extract<SheetState, { status: 'open' }>, 'status'>> = {}) {
    publish({ status: 'open', purpose: 'signIn', ...options })
  },
  close() {
    publish({ status: 'closed' })
  },
}
