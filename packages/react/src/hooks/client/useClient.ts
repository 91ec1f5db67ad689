'use client'

import { createContext, useContext } from 'react'
import type { Client } from '../../core/client/Client.ts'
import { MissingProviderError } from '../../core/errors/errors.ts'

/** Holds the client object alone, which does not change, and so never re-renders anyone. */
export const ClientContext = createContext<Client | undefined>(undefined)

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
