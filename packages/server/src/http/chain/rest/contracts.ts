import { callContract } from '../../../chain/reads/callContract.ts'
import { decodeLog } from '../../../chain/reads/decodeLog.ts'
import { chooseEvent } from '../../../chain/reads/getContractEvents.ts'
import { readAbi } from '../../../chain/reads/readAbi.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { answerFromNode } from '../answerFromNode.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describePage } from '../describePage.ts'
import { describeLog } from '../describeTransaction.ts'
import { type LogQuery, listLogPage } from '../listLogPage.ts'
import { plainValue } from '../plainValue.ts'
import { readRange } from '../readRange.ts'

export const contractEndpoints: Endpoint[] = [
  defineChainRead('listLogs', {
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
    read: ({ chain, key }, { function: functionName, from, ...input }) =>
      answerFromNode(chain, key, async () => {
        const { value, block } = await callContract(chain, { ...input, functionName, ...(from && { from }) })
        return { block, result: plainValue(value) ?? null }
      }),
  }),
]
