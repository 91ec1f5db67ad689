import { expect, test } from 'vitest'
import { chainEndpoints } from '../chainEndpoints.ts'
import { type EndpointPlace, endpoints } from '../endpoints.ts'
import { operatorEndpoints } from '../operatorEndpoints.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { contract } from './index.ts'

test('clients know every endpoint as the contract says', () => {
  const known: Record<string, EndpointPlace> = { ...endpoints, ...chainEndpoints, ...operatorEndpoints }
  for (const [name, endpoint] of Object.entries<EndpointContract>(contract)) {
    const { method, path, session, sessionless, textQuery } = endpoint
    const isSessionless = sessionless || session === 'dropped'
    const place = { method, path, ...(isSessionless && { sessionless: true }), ...(textQuery && { textQuery }) }
    expect({ [name]: known[name] }).toEqual({ [name]: place })
  }
})
