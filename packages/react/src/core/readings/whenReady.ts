import type { Client } from '../client/Client.ts'
import { cancelled } from '../errors/errors.ts'
import { readerOf } from './readerOf.ts'

/** Waits until the client is initialized and the reader is known. Rejects with the error of the initialization. */
export function whenReady(client: Client, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = []
    const end = (settle: () => void) => {
      for (const stop of stops.splice(0)) stop()
      settle()
    }
    const look = () => {
      const { error } = client.initialization.get()
      if (signal?.aborted) end(() => reject(cancelled(signal)))
      else if (error) end(() => reject(error))
      else if (readerOf(client) !== undefined) end(resolve)
    }
    stops.push(client.initialization.subscribe(look), client.session.subscribe(look))
    if (signal) {
      signal.addEventListener('abort', look)
      stops.push(() => signal.removeEventListener('abort', look))
    }
    look()
  })
}
