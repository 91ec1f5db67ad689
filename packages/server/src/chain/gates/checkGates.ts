import type { Context } from '../../context/Context.ts'
import type { Chains } from '../nodes/Chains.ts'
import { chooseBlock } from './chooseBlock.ts'
import { type Gate, type GateRow, gateColumns, readGate, type Wallet, walletsOfChain } from './Gate.ts'
import { readHoldings } from './readHoldings.ts'
import { writeHoldings } from './writeHoldings.ts'

const pageSize = 1_000
const mostAtOnce = 20

/** Looks at every wallet for the gates whose time has come. Of several servers one does it. Answers whether any were due. */
export async function checkDueGates(context: Context, chains: Chains): Promise<boolean> {
  const { db, clock, config } = context
  const now = clock.now()
  const rows = await db.query<GateRow>({
    text: `update countersign.gates g set due = $2 where "objectId" in (
             select "objectId" from countersign.gates where due <= $1 order by due limit ${mostAtOnce}
             for update skip locked) returning ${gateColumns}`,
    values: [now, new Date(now.getTime() + config.gates.interval * 1000)],
  })
  const byChain = new Map<number, Gate[]>()
  for (const gate of rows.map(readGate)) byChain.set(gate.chain, [...(byChain.get(gate.chain) ?? []), gate])
  for (const gates of byChain.values()) await checkGates(context, chains, gates).catch(() => {})
  return rows.length > 0
}

/** Looks at every wallet for gates of one chain. What keeps it from that is noted with them, and thrown. */
export async function checkGates(
  context: Context,
  chains: Chains,
  gates: readonly Gate[],
  { atHead = false }: { atHead?: boolean } = {},
): Promise<void> {
  const [first] = gates
  if (!first) return
  try {
    const chain = chains.get(first.chain)
    const block = atHead ? (await chain.head({ fresh: true })).number : await chooseBlock(context, chain)
    let last = ''
    for (;;) {
      const wallets = await context.db.query<Wallet>({
        text: `${walletsOfChain} and key > $2 order by key limit ${pageSize}`,
        values: [String(first.chain), last],
      })
      await writeHoldings(context, await readHoldings(chain, gates, wallets, block), block)
      if (wallets.length < pageSize) break
      last = wallets.at(-1)?.key ?? ''
    }
    await note(context, gates, block, null)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.log.warn({ err: error, chain: first.chain }, 'gates could not be checked and will be checked later')
    await note(context, gates, null, message.slice(0, 500))
    throw error
  }
}

async function note({ db, clock }: Context, gates: readonly Gate[], block: number | null, error: string | null) {
  await db.query({
    text: `update countersign.gates set error = $2, block = coalesce($3, block),
             checked = case when $2::text is null then $4 else checked end where "objectId" = any($1)`,
    values: [gates.map(({ objectId }) => objectId), error, block, clock.now()],
  })
}
