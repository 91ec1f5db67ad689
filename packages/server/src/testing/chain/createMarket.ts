import { type Address, decodeEventLog, encodeFunctionData, type Hex, toEventSelector, toHex } from 'viem'
import { toPlain } from '../../chain/reads/abi.ts'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from './Chain.ts'
import { deployContract } from './deployContract.ts'
import { deployer } from './deployer.ts'
import { getArtifact } from './getArtifact.ts'

export const marketAbi = getArtifact('Market').abi
const factoryAbi = getArtifact('MarketFactory').abi

export type Market = {
  /** In lower case. */
  address: Address
  /** Calls a function of the contract: one block. */
  send(functionName: string, ...args: unknown[]): Promise<void>
  /** So many listings, sales and cancellations, one block each. */
  trade(count: number): Promise<void>
}

/** A market that is there already, or one that is deployed now. */
export async function createMarket(chain: Chain, at?: Address): Promise<Market> {
  const deployed = at ?? (await deployContract(chain, getArtifact('Market')))
  const address = deployed.toLowerCase() as Address
  let count = 0
  const send = (functionName: string, ...args: unknown[]) => call(chain, address, functionName, args)
  return {
    address,
    send,
    async trade(times) {
      for (let at = 0; at < times; at++) {
        const id = BigInt(count++)
        const [seller, buyer] = [person(count % 5), person(7)]
        if (count % 3 === 0) await send('buy', id, seller, buyer, 2n ** 255n + id)
        else if (count % 7 === 0) await send('cancel', id, seller)
        else await send('list', id, seller, id * 10n ** 18n, Number(id))
      }
    },
  }
}

/** A person's address, by number. */
export const person = (number: number): Address => `0x${(number + 1).toString(16).padStart(40, 'a')}`

export async function call(chain: Chain, to: Address, functionName: string, args: unknown[]): Promise<void> {
  const abi = functionName === 'open' ? factoryAbi : marketAbi
  const data = encodeFunctionData({ abi, functionName, args })
  await chain.request('eth_sendTransaction', [{ from: deployer.address, to, data, gas: toHex(8_000_000) }])
}

/** Logs of a contract event from the node itself, as lines; decoded by viem. */
export async function listLogs(chain: Chain, addresses: readonly string[], eventName: string): Promise<string[]> {
  const abi = marketAbi.filter((item) => item.type === 'event' && item.name === eventName)
  const topic = toEventSelector(abi[0] as never)
  const filter = { address: addresses, topics: [topic], fromBlock: '0x0', toBlock: 'latest' }
  const logs = (await chain.request('eth_getLogs', [filter])) as (Record<string, string> & {
    topics: [Hex, ...Hex[]]
  })[]
  return logs
    .map(({ topics, data, blockHash, blockNumber, logIndex, transactionHash, address }) => {
      const { args } = decodeEventLog({ abi, topics, data: data as Hex })
      const values = Object.values(toPlain(args) as Record<string, unknown>).map((value) => String(value).toLowerCase())
      return [Number(blockNumber), Number(logIndex), blockHash, transactionHash, address, ...values].join(' ')
    })
    .sort()
}

/** The rows of a class that holds the same event, in the same form. */
export async function listRows(db: Database, className: string, fields: readonly string[]): Promise<string[]> {
  const values = sql.join(fields.map((field) => sql`${sql.id(field)}::text`))
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', "block"::bigint, "logIndex"::int, "blockHash", "transaction", "contract", ${values}) as line
    from ${sql.table(className)}`)
  return rows.map(({ line }) => line).sort()
}
