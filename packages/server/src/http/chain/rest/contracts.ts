import { z } from 'zod'
import { callContract } from '../../../chain/reads/callContract.ts'
import { decodeLog } from '../../../chain/reads/decodeLog.ts'
import { chooseEvent } from '../../../chain/reads/getContractEvents.ts'
import { readAbi } from '../../../chain/reads/readAbi.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { answerFromNode } from '../answerFromNode.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describePage } from '../describePage.ts'
import { describeLog } from '../describeTransaction.ts'
import { abi, address, blockTag, callParams, hash, order, page, range, text } from '../fields.ts'
import { type LogQuery, listLogPage } from '../listLogPage.ts'
import { plainValue } from '../plainValue.ts'
import { readRange } from '../readRange.ts'

const topic = z.union([z.literal('').transform(() => null), z.null(), hash, z.array(hash).min(1).max(100)], {
  error: 'must be topics: 0x and 64 hex digits each',
})
export const contractEndpoints: Endpoint[] = [
  defineChainRead('listLogs', {
    summary: 'Logs by contract and topics, straight from the node.',
    input: {
      address: address.optional(),
      topics: z
        .preprocess((value) => (typeof value === 'string' ? readTopics(value) : value), z.array(topic).max(4))
        .optional()
        .describe('Up to four topics with commas between; none between two commas stands for any'),
      order,
      ...range,
      ...page,
    },
    cost: 10,
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { address: contract, topics } = input
        const query: LogQuery = { ...input, ...(await readRange(chain, input)), address: contract, topics } as LogQuery
        const found = await listLogPage(chain, query)
        return { block: found.block, ...describePage(found, input, (log) => describeLog(log)) }
      }),
  }),
  defineChainRead('listEvents', {
    summary: 'Events of a contract, decoded by its ABI.',
    input: { address, abi, event: text.optional(), order, ...range, ...page },
    cost: 10,
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { toEventSelector } = await import('viem')
        const item = await chooseEvent(await readAbi(input.abi), input.event)
        const { order: way, limit, cursor, offset } = input
        const found = await listLogPage(chain, {
          ...(await readRange(chain, input)),
          ...{ limit, cursor, offset, order: way, address: input.address, topics: [toEventSelector(item)] },
        })
        const decoded = await Promise.all(found.rows.map((log) => decodeLog(log, [item])))
        return { block: found.block, ...describePage(found, input, (log, place) => describeLog(log, decoded[place])) }
      }),
  }),
  defineChainRead('callContract', {
    summary: 'Read a contract: call a function of it without a transaction.',
    input: {
      address,
      abi,
      function: text.describe('Its name, or its signature where several share the name'),
      params: callParams,
      from: address.optional(),
      block: blockTag,
    },
    read: ({ chain, key }, { function: functionName, from, ...input }) =>
      answerFromNode(chain, key, async () => {
        const { value, block } = await callContract(chain, { ...input, functionName, ...(from && { from }) })
        return { block, result: plainValue(value) ?? null }
      }),
  }),
]

function readTopics(value: string): unknown {
  if (!value.startsWith('[')) return value.split(',')
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
