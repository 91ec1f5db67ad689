import type { Client } from '../Client.ts'

/** The passkeys have changed: what shows them is read again. */
export function invalidatePasskeys({ internal }: Client): void {
  for (const name of ['listPasskeys', 'listWaysIn', 'listActivity'] as const) internal.readings.get(name)?.invalidate()
}
