import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { createReading, type Reading, type ReadingParts } from '../../readings/createReading.ts'
import { defineReading } from '../../readings/defineReading.ts'
import { readerOf } from '../../readings/readerOf.ts'
import type { Pages, PagesMemo } from './askChain.ts'
import { asksWallet, findTarget, missingAddress } from './findTarget.ts'
import type { ChainEndpoint, ChainQuestionAnswer } from './ChainData.ts'
import { loadAsking, readChain } from './readChain.ts'

/** A question to a chain. Without input nothing is read. */
export type ChainQuestion = { readonly name: ChainEndpoint; readonly input: object | undefined }

const write = ({ name, input }: ChainQuestion) => ({ chain: name, input: input ?? null })

const chainReading = defineReading<ChainQuestion, unknown>(write, ({ name, input }, client) =>
  toParts(client, { name, input }, (client, options) => readChain(client, name, input ?? {}, options)),
)

/** Reading of one chain endpoint. */
export function getChainReading<Name extends ChainEndpoint>(
  client: Client,
  name: Name,
  input: object | undefined,
): Reading<ChainQuestionAnswer<Name>> {
  return chainReading(client, { name, input }) as Reading<ChainQuestionAnswer<Name>>
}

function toParts<Data>(
  client: Client,
  { name, input }: ChainQuestion,
  read: ReadingParts<Data>['read'],
): ReadingParts<Data> {
  const isWallets = input !== undefined && asksWallet(name, input)
  return {
    read,
    owner: (client) => (input ? findOwner(client, name, input, isWallets) : undefined),
    whyNot: (client) => (input ? whyNot(client) : undefined),
    sources: [client.session, client.initialization, ...(isWallets ? [client.wallet] : [])],
  }
}

/** Owner, address and chain of the data: a change starts again. */
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

export type PagesReading<Row> = Reading<Pages<Row>> & {
  /** Reads the next page, if there is one and none is being read. */
  readonly loadMore: () => Promise<void>
  /** New rows were added at the start: reads only up to the known ones. */
  readonly loadNew: () => void
}

const chainPages = defineReading<ChainQuestion, Pages<unknown>, PagesReading<unknown>>(
  (question) => ({ ...write(question), pages: true }),
  (question, client) => createPages(client, question),
)

/** A reading that grows by pages. Read again, it reads as many rows as it had. */
export function getChainPages<Row>(client: Client, name: ChainEndpoint, input: object): PagesReading<Row> {
  return chainPages(client, { name, input }) as PagesReading<Row>
}

function createPages<Row>(client: Client, question: ChainQuestion): PagesReading<Row> {
  const memo: PagesMemo<Row> = { isReadingNew: false }
  let isMore = false
  let isNew = false
  const read = async (client: Client, options: ActionOptions): Promise<Pages<Row>> => {
    const owner = parts.owner(client)
    const before = memo.known?.owner === owner ? memo.known?.pages : undefined
    const from = isMore ? before : undefined
    isMore = false
    memo.isReadingNew = isNew
    isNew = false
    const { readPages } = await loadAsking()
    return readPages<Row>(client, question.name, question.input ?? {}, options, { memo, owner, before, from })
  }
  const parts: ReadingParts<Pages<Row>> = toParts<Pages<Row>>(client, question, read)
  const reading = createReading<Pages<Row>>(client, parts)
  return {
    ...reading,
    async loadMore() {
      const state = reading.peek.get()
      if (state.isFetching || state.data?.cursor === undefined) return
      isMore = true
      await reading.refetch().finally(() => {
        isMore = false
      })
    },
    loadNew() {
      const state = reading.peek.get()
      // Whatever else is being read would be cut off, and must not be forgotten.
      isNew = state.status === 'success' && (!state.isFetching || memo.isReadingNew)
      reading.invalidate()
    },
  }
}
