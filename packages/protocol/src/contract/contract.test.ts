import { expect, test } from 'vitest'
import { type EndpointPlace, endpoints, operatorEndpoints } from '../endpoints.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { contract } from './index.ts'

test('clients know every endpoint as the contract says', () => {
  const known: Record<string, EndpointPlace> = { ...endpoints, ...operatorEndpoints }
  for (const [name, endpoint] of Object.entries<EndpointContract>(contract)) {
    const { method, path, session, sessionless, textQuery } = endpoint
    const isSessionless = sessionless || session === 'dropped'
    const place = { method, path, ...(isSessionless && { sessionless: true }), ...(textQuery && { textQuery }) }
    expect({ [name]: known[name] }).toEqual({ [name]: place })
  }
})
