import { type Client, getUser, runFunction } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'

/** Data of an EVM chain: of the address that is named, or the user's, or the wallet's. */
export function runWeb3Api(client: Client, name: string, options: Attributes, account: string | null): Promise<Loose> {
  const address = options.address || field(client, 'ethAddress') || account
  return runApi(client, name, { chain: 'eth', ...options, ...(address && { address }) })
}

export function runSolanaApi(client: Client, name: string, options: Attributes): Promise<Loose> {
  const address = options.address || field(client, 'solAddress')
  const defaults = { network: 'mainnet', responseType: 'native' }
  return runApi(client, `sol-${name}`, { ...defaults, ...options, ...(address && { address }) })
}

function field(client: Client, name: string): Loose {
  return Object(getUser(client))[name]
}

/** Asks a function of the server for data of a chain. */
async function runApi(client: Client, name: string, options: Attributes): Promise<Loose> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const answer: Loose = await runFunction(client, name, Object.fromEntries(given))
  return withNext(answer, options, (next) => runApi(client, name, next))
}

/** A page has `next`, while there is one. */
function withNext(answer: Loose, options: Attributes, ask: (options: Attributes) => Promise<Loose>): Loose {
  const { page, page_size, total, cursor }: Attributes = Object(answer)
  if (page === undefined || page_size === undefined || total === undefined) return answer
  if (cursor) return { ...answer, next: () => ask({ ...options, cursor }) }
  if (!(total > page_size * (page + 1)) || options.cursor) return { ...answer }
  return { ...answer, next: () => ask({ ...options, offset: (page + 1) * (options.limit || 500) }) }
}
