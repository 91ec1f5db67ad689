import type { TransactionReceipt } from 'viem'
import type { Client } from '../client/Client.ts'
import type { Reading } from '../readings/createReading.ts'
import { defineReading } from '../readings/defineReading.ts'
import type { ChainOptions } from './ChainOptions.ts'
import { chainParts, numberOf } from './contractReading.ts'
import type { ContractEvent, ContractEventsInput, WaitForReceiptInput } from './FollowInputs.ts'
import type { EventsMemo } from './followBodies.ts'
import { getBlockNumber, loadFollowing, waitForReceipt } from './followChain.ts'

type Question<Input> = { readonly input: Input | undefined; readonly provider: number | undefined }

/** The key of a question: providers have no name, so each has a number. */
function describe<Input extends ChainOptions>({ input, provider }: Question<Input>): object {
  const { provider: _, ...rest } = input ?? {}
  return { ...rest, '#provider': provider }
}

const blockReading = /*#__PURE__*/ defineReading<Question<ChainOptions>, bigint>(
  (question) => ({ blockNumber: describe(question) }),
  ({ input = {} }, client) => chainParts(client, input, (client, options) => getBlockNumber(client, input, options)),
)

const receiptReading = /*#__PURE__*/ defineReading<Question<WaitForReceiptInput>, TransactionReceipt>(
  (question) => ({ receipt: describe(question) }),
  ({ input }, client) =>
    chainParts(client, input, (client, options) => waitForReceipt(client, input as WaitForReceiptInput, options)),
)

const eventsReading = /*#__PURE__*/ defineReading<Question<ContractEventsInput>, readonly ContractEvent[]>(
  ({ input, provider }) => {
    const { abi, ...rest } = input ?? ({} as ContractEventsInput)
    const used = Array.isArray(abi) && abi.filter((item) => item?.type === 'event' && item.name === rest.eventName)
    return { events: { ...describe({ input: rest, provider }), abi: used } }
  },
  ({ input }, client) => {
    let memo: EventsMemo = { known: [] }
    let owner: string | undefined
    const parts = chainParts<readonly ContractEvent[]>(client, input, async (client, { signal }) => {
      const { readEvents } = await loadFollowing()
      // Another account sees the same events, another chain does not.
      const present = parts.owner(client)
      if (present !== owner) memo = { known: [] }
      owner = present
      return readEvents(client, input as ContractEventsInput, signal, memo)
    })
    return parts
  },
)

const read =
  <Input extends ChainOptions, Data>(reading: (client: Client, question: Question<Input>) => Reading<Data>) =>
  (client: Client, input: Input | undefined): Reading<Data> =>
    reading(client, { input, provider: input?.provider && numberOf(client, input.provider) })

export const getBlockReading = /*#__PURE__*/ read(blockReading)
export const getReceiptReading = /*#__PURE__*/ read(receiptReading)
export const getEventsReading = /*#__PURE__*/ read(eventsReading)
