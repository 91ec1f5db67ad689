import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import { readerOf } from '../documents/readerOf.ts'
import { shareReading } from '../documents/shareReading.ts'
import { asksWallet, findTarget } from './findTarget.ts'
import { missingAddress } from './missingAddress.ts'
import { type ChainEndpoint, readChain } from './readChain.ts'

type Read<Data> = (client: Client, callbacks: Callbacks<Data>) => Promise<Data | undefined>

/** The one reading that all hooks of a client share which ask a chain the same. Without input nothing is read. */
export function getChainReading<Data>(client: Client, name: ChainEndpoint, input: object | undefined): Reading<Data> {
  return shareChainReading(client, name, input, (client, callbacks) =>
    readChain<Data>(client, name, input ?? {}, callbacks),
  )
}

/** As above, with what reads of one's own; `extend` adds to the reading what belongs to it. */
export function shareChainReading<Data, More extends object = object>(
  client: Client,
  name: ChainEndpoint,
  input: object | undefined,
  read: Read<Data>,
  extend: (reading: Reading<Data>, owner: () => string | undefined) => More = () => ({}) as More,
): Reading<Data> & More {
  const create = () => {
    const isWallets = input !== undefined && asksWallet(name, input)
    const owner = () => (input ? findOwner(client, name, input, isWallets) : undefined)
    const sources = [client.session, client.initialization, ...(isWallets ? [client.wallet] : [])]
    const reading = createReading<Data>(client, read, owner, () => (input ? whyNot(client) : undefined), sources)
    return { ...reading, ...extend(reading, owner) }
  }
  return shareReading<Data>(client, () => ({ chain: name, input: input ?? null }), create) as Reading<Data> & More
}

/** Whose data it is, and of which address on which chain: anything else begins anew. */
function findOwner(client: Client, name: ChainEndpoint, input: object, isWallets: boolean): string | undefined {
  const reader = readerOf(client)
  const isComing = isWallets && client.internal.wallet.get().status === 'reconnecting'
  const { isMissing, chain, address } = findTarget(client, name, input)
  return reader === undefined || isComing || isMissing ? undefined : [reader, chain, address].join()
}

function whyNot(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') return initialization.error
  const { status } = client.internal.wallet.get()
  const isWaiting = readerOf(client) === undefined || status === 'connecting' || status === 'reconnecting'
  return isWaiting ? undefined : missingAddress()
}
