import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Namespace } from '../../auth/Account.ts'
import { type AddressQuery, findAddresses, unlinkAddress } from '../../auth/parseCompat/addresses.ts'
import type { Endpoint } from '../Endpoint.ts'
import type { Body } from '../request/createBodies.ts'

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
    summary: 'Refused: an address is proven by a signature.',
    async handle() {
      throw new CountersignError(
        'OperationForbidden',
        'A wallet is added by signing with it, not by writing its address.',
      )
    },
  }
  return [
    define('find', {
      method: 'GET',
      path,
      summary: "The caller's wallets, as the older clients look for them.",
      handle: async ({ context, caller, input }) => ({
        results: await findAddresses(context, caller, namespace, readQuery(input)),
      }),
    }),
    define('get', {
      method: 'GET',
      path: `${path}/:objectId`,
      summary: "One of the caller's wallets by its address.",
      async handle({ context, caller, params: { objectId = '' } }) {
        const [row] = await findAddresses(context, caller, namespace, { ids: [objectId], limit: 1 })
        if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
        return row
      },
    }),
    define('unlink', {
      method: 'DELETE',
      path: `${path}/:objectId`,
      summary: "Unlink a wallet of the caller's by its address.",
      handle: ({ context, caller, params: { objectId = '' } }) => unlinkAddress(context, caller, namespace, objectId),
    }),
    define('create', { method: 'POST', path, ...refuse }),
    define('update', { method: 'PUT', path: `${path}/:objectId`, ...refuse }),
  ]
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
  throw new CountersignError('InvalidQuery', 'Addresses are found by their objectId alone.')
}

function readCount(value: WireValue | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000_000) return value
  throw new CountersignError('InvalidQuery', 'limit and skip must be whole numbers.')
}
