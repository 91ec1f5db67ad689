import type { Context } from '../../context/Context.ts'
import type { Chains } from '../nodes/Chains.ts'
import { chooseBlock } from './chooseBlock.ts'
import { type GateRow, gateColumns, readGate, type Wallet, walletsOfChain } from './Gate.ts'
import { readHoldings } from './readHoldings.ts'
import { writeHoldings } from './writeHoldings.ts'

const mostAtOnce = 500
/** Milliseconds after which users are looked at again where a node, or the server that took them, failed. */
const retryAfter = 5_000

type Queued = { user: string; version: string }

/** Looks at the wallets of users that wait for it, for every gate. Answers whether any waited. */
export async function checkQueue(context: Context, chains: Chains): Promise<boolean> {
  const { db, clock } = context
  const now = clock.now()
  const queued = await db.query<Queued>({
    text: `update countersign.gate_queue q set due = $2 where "user" in (
             select "user" from countersign.gate_queue where due <= $1 order by due limit ${mostAtOnce}
             for update skip locked) returning "user", version::text as version`,
    values: [now, new Date(now.getTime() + retryAfter)],
  })
  if (queued.length === 0) return false
  const users = queued.map(({ user }) => user)
  const gates = (await db.query<GateRow>({ text: `select ${gateColumns} from countersign.gates g` })).map(readGate)
  let failed = false
  for (const chainId of new Set(gates.map(({ chain }) => chain))) {
    const wallets = await db.query<Wallet>({
      text: `${walletsOfChain} and "user" = any($2)`,
      values: [String(chainId), users],
    })
    if (wallets.length === 0) continue
    try {
      const own = gates.filter(({ chain }) => chain === chainId)
      const chain = chains.get(chainId)
      const block = await chooseBlock(context, chain)
      await writeHoldings(context, await readHoldings(chain, own, wallets, block), block)
    } catch (error) {
      failed = true
      context.log.warn({ err: error, chain: chainId }, 'wallets could not be checked for gates and will be later')
    }
  }
  if (failed) return true
  await db.query({
    text: `delete from countersign.gate_queue q using unnest($1::text[], $2::bigint[]) as done ("user", version)
           where q."user" = done."user" and q.version = done.version`,
    values: [users, queued.map(({ version }) => version)],
  })
  return true
}
