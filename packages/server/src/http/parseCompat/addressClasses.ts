import { setTimeout as sleep } from 'node:timers/promises'
import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Namespace } from '../../auth/Account.ts'
import { type AddressQuery, findAddresses, unlinkAddress } from '../../auth/parseCompat/addresses.ts'
import type { Hex } from '../../chain/nodes/Chain.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import { getNativeBalances } from '../../chain/reads/nativeBalances.ts'
import { findOlderChain } from '../../classes/olderClasses.ts'
import type { Context } from '../../context/Context.ts'
import type { Body, Endpoint } from '../../endpoint/Endpoint.ts'
import { ignoreNodeFailure } from '../chain/answers.ts'

export const addressEndpoints: Endpoint[] = [
  ...addressClass('_EthAddress', 'eip155'),
  ...addressClass('_SolAddress', 'solana'),
]

/** The class in which the older clients look for linked wallets. Nothing is written here: a wallet is linked by signing. */
function addressClass(className: string, namespace: Namespace): Endpoint[] {
  const path = `/classes/${className}`
  const define = (name: string, parts: Pick<Endpoint, 'method' | 'path' | 'summary' | 'handle'>) => ({
    name: `${name}In${className}`,
    ...parts,
  })
  const refuse: Pick<Endpoint, 'summary' | 'handle'> = {
    summary: 'Always refused: an address must be proven with a signature.',
    async handle() {
      throw new CountersignError(
        'OperationForbidden',
        'Link a wallet by signing a message; its address can’t be set directly.',
      )
    },
  }
  return [
    define('find', {
      method: 'GET',
      path,
      summary: "The caller's wallets, as legacy clients request them.",
      async handle({ context, caller, input }) {
        const rows = await findAddresses(context, caller, namespace, readQuery(input))
        return { results: await addBalances(context, namespace, rows) }
      },
    }),
    define('get', {
      method: 'GET',
      path: `${path}/:objectId`,
      summary: "One of the caller's wallets by its address.",
      async handle({ context, caller, params: { objectId = '' } }) {
        const found = await findAddresses(context, caller, namespace, { ids: [objectId], limit: 1 })
        const [row] = await addBalances(context, namespace, found)
        if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
        return row
      },
    }),
    define('unlink', {
      method: 'DELETE',
      path: `${path}/:objectId`,
      summary: "Unlink one of the caller's wallets by its address.",
      handle: ({ context, caller, params: { objectId = '' } }) => unlinkAddress(context, caller, namespace, objectId),
    }),
    define('create', { method: 'POST', path, ...refuse }),
    define('update', { method: 'PUT', path: `${path}/:objectId`, ...refuse }),
  ]
}

/** Rows after these have no balance: a list is not to become a thousand questions to a node. */
const mostBalances = 100

/** Milliseconds. Who unlinks a wallet reads its row first, and need not wait for a slow node. */
const longestWait = 2_000

/**
 * Adds native balances at the known head, as in the rows of the legacy service. If a node fails, only the balance is
 * missing.
 */
async function addBalances(context: Context, namespace: Namespace, rows: WireFields[]): Promise<WireFields[]> {
  const { config } = context
  if (namespace !== 'eip155' || config.indexer.olderClasses === 'off' || rows.length === 0) return rows
  const id = findOlderChain(config, 'Eth')
  const chain = id === undefined ? undefined : getChains(context).find(id)
  if (!chain) return rows
  const addresses = rows.slice(0, mostBalances).map(({ objectId }) => objectId as Hex)
  const asked = chain.remember(`balances of wallets ${addresses.join()}`, async () => {
    const { balances } = await getNativeBalances(chain, { addresses })
    return { value: balances.map(String), size: addresses.length * 100 }
  })
  const read = await Promise.race([ignoreNodeFailure(asked), sleep(longestWait, undefined, { ref: false })])
  return rows.map((row, place) => {
    const balance = read?.value[place]
    return balance === undefined ? row : { ...row, balance }
  })
}

function readQuery({ where, limit, skip }: Body): AddressQuery {
  const ids = readIds(where)
  return { ...(ids && { ids }), limit: Math.min(readCount(limit, 100), 1000), skip: readCount(skip, 0) }
}

function readIds(where: WireValue | undefined): string[] | undefined {
  if (where === undefined) return undefined
  if (where !== null && typeof where === 'object' && !Array.isArray(where)) {
    const { objectId, ...others } = where as Body
    const listed =
      objectId !== null && typeof objectId === 'object' && !Array.isArray(objectId)
        ? (objectId as Body).$in
        : [objectId ?? null]
    if (Object.keys(others).length === 0 && objectId === undefined) return undefined
    if (Object.keys(others).length === 0 && Array.isArray(listed) && listed.every((id) => typeof id === 'string'))
      return listed
  }
  throw new CountersignError('InvalidQuery', 'Addresses can only be queried by objectId.')
}

function readCount(value: WireValue | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000_000) return value
  throw new CountersignError('InvalidQuery', 'limit and skip must be whole numbers.')
}
