import { type CountersignError, errorCodes } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { findTarget } from './findTarget.ts'
import { missingAddress } from './missingAddress.ts'
import type { ChainEndpoint } from './readChain.ts'
import { readWire } from './readWire.ts'

/** What may well not be there; that it is not is an answer and no failure. */
const mayLack = new Set<ChainEndpoint>(['getNameOf', 'resolveName', 'getTokenPrice'])

export async function askChain(
  client: Client,
  name: ChainEndpoint,
  input: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { isMissing, ...target } = findTarget(client, name, input)
  if (isMissing) throw missingAddress()
  const given = Object.entries(input).flatMap(([field, value]) => (value === undefined ? [] : [[field, toText(value)]]))
  const asked: Record<string, unknown> = { ...Object.fromEntries(given), ...target }
  try {
    const answer: unknown = await request(client, name, asked as never, signal ? { signal } : {})
    return readWire(name === 'listChains' ? Object(answer).results : answer)
  } catch (error) {
    if (mayLack.has(name) && (error as CountersignError).code === errorCodes.ObjectNotFound) return null
    throw error
  }
}

function toText(value: unknown): unknown {
  return Array.isArray(value) ? value.join() : value
}
