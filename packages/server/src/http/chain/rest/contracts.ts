import { decodeLog, readAbi } from '../../../chain/reads/abi.ts'
import { callContract } from '../../../chain/reads/callContract.ts'
import { chooseEvent } from '../../../chain/reads/getLogs.ts'
import { answerFromNode } from '../answers.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeLog, describePage, plainValue } from '../describe.ts'
import { type LogQuery, listLogPage } from '../listLogPage.ts'
import { readRange } from '../ranges.ts'

export const listLogsEndpoint = defineChainRead('listLogs', {
  cost: 10,
  read: ({ chain, key }, input) =>
    answerFromNode(chain, key, async () => {
      const { address: contract, topics } = input
      const query: LogQuery = { ...input, ...(await readRange(chain, input)), address: contract, topics } as LogQuery
      const found = await listLogPage(chain, query)
      return { block: found.block, ...describePage(found, input, (log) => describeLog(log)) }
    }),
})

export const listEventsEndpoint = defineChainRead('listEvents', {
  cost: 10,
  read: ({ chain, key }, input) =>
    answerFromNode(chain, key, async () => {
      const { toEventSelector } = await import('../../../chain/evm.ts')
      const item = await chooseEvent(await readAbi(input.abi), input.event)
      const { order: way, limit, cursor, offset } = input
      const found = await listLogPage(chain, {
        ...(await readRange(chain, input)),
        ...{ limit, cursor, offset, order: way, address: input.address, topics: [toEventSelector(item)] },
      })
      const decoded = await Promise.all(found.rows.map((log) => decodeLog(log, [item])))
      return { block: found.block, ...describePage(found, input, (log, place) => describeLog(log, decoded[place])) }
    }),
})

export const callContractEndpoint = defineChainRead('callContract', {
  read: ({ chain, key }, { function: functionName, from, ...input }) =>
    answerFromNode(chain, key, async () => {
      const { value, block } = await callContract(chain, { ...input, functionName, ...(from && { from }) })
      return { block, result: plainValue(value) ?? null }
    }),
})
