import type { Client } from '../Client.ts'
import { sleep } from '../sleep.ts'
import type { Connector } from './Connector.ts'

/** The connector that is looked for, as soon as it is there; none if it does not come in time. */
export async function waitForConnector(
  { internal }: Client,
  find: (list: readonly Connector[]) => Connector | undefined,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<Connector | undefined> {
  const present = find(internal.connectors.get())
  if (present) return present
  const enough = new AbortController()
  const end = () => enough.abort()
  signal?.addEventListener('abort', end, { once: true })
  let found: Connector | undefined
  const stop = internal.connectors.subscribe(() => {
    found = find(internal.connectors.get())
    if (found) enough.abort()
  })
  await sleep(milliseconds, enough.signal)
  stop()
  signal?.removeEventListener('abort', end)
  return found
}
