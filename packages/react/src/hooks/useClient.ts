import { useContext } from 'react'
import type { Client } from '../core/Client.ts'
import { MissingProviderError } from '../core/errors/MissingProviderError.ts'
import { ClientContext } from './ClientContext.ts'

/**
 * The client of the nearest `<CountersignProvider>`, for the functions of `@countersign/react/core`.
 *
 * @example
 * const client = useClient()
 */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new MissingProviderError()
  return client
}
