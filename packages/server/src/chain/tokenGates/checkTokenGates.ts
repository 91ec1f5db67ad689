import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { Chain, Chains, ContractCall, Hex } from '../nodes/Chain.ts'
import { encodeCall, findAddress, findUint, selectors } from '../reads/abi.ts'
import { getNativeBalances } from '../reads/nativeBalances.ts'
import { findProven, markWallets, type Wallet, walletsOfChain } from '../wallets/provenWallets.ts'
import { readTokenGate, type TokenGate, type TokenGateRow, tokenGateColumns } from './TokenGate.ts'

const pageSize = 1_000

const mostAtOnce = 20

/** Checks all wallets for the due gates, on one of several servers. Returns true if any were due. */
export async function checkDueGates(context: Context, chains: Chains): Promise<boolean> {
  const { db, clock, config } = context
  const now = clock.now()
  const next = new Date(now.getTime() + config.tokenGates.interval * 1000)
  const rows = await db.query<TokenGateRow>(sql`
    update countersign.gates g set due = ${next}
    where "objectId" in (
      select "objectId" from countersign.gates
      where due <= ${now}
      order by due
      limit ${mostAtOnce}
      for update skip locked
    )
    returning ${tokenGateColumns}`)
  const byChain = new Map<number, TokenGate[]>()
  for (const gate of rows.map(readTokenGate)) byChain.set(gate.chain, [...(byChain.get(gate.chain) ?? []), gate])
  for (const gates of byChain.values()) await checkTokenGates(context, chains, gates).catch(() => {})
  return rows.length > 0
}

/** Looks at every wallet for gates of one chain. What keeps it from that is noted with them, and thrown. */
export async function checkTokenGates(
  context: Context,
  chains: Chains,
  gates: readonly TokenGate[],
  { atHead = false }: { atHead?: boolean } = {},
): Promise<void> {
  const [first] = gates
  if (!first) return
  try {
    const chain = chains.get(first.chain)
    const block = atHead ? await chain.head({ fresh: true }) : await chooseBlock(context, chain)
    checkAge(context, chain, block)
    let last = ''
    for (;;) {
      const wallets = await context.db.query<Wallet>(
        sql`${walletsOfChain(first.chain)} and key > ${last} order by key limit ${pageSize}`,
      )
      await writeHoldings(context, await readHoldings(context, chain, gates, wallets, block.number), block)
      if (wallets.length < pageSize) break
      last = wallets.at(-1)?.key ?? ''
    }
    await note(context, gates, block.number, null)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.log.warn({ err: error, chain: first.chain }, 'checking token gates failed, retrying later')
    await note(context, gates, null, message.slice(0, 500))
    throw error
  }
}

async function note({ db, clock }: Context, gates: readonly TokenGate[], block: number | null, error: string | null) {
  const checked = error === null ? sql`${clock.now()}` : sql`checked`
  await db.query(sql`
    update countersign.gates set error = ${error}, block = coalesce(${block}, block), checked = ${checked}
    where "objectId" = any(${gates.map(({ objectId }) => objectId)})`)
}

/** An index that is further behind is not waited for. */
const mostBehind = 16

/**
 * Block at which holdings are read: the indexer's newest, so that it reports everything after, including an undone
 * block. The head, if the chain is not indexed.
 */
export async function chooseBlock({ db }: Context, chain: Chain): Promise<ReadBlock> {
  const head = await chain.head({ fresh: true })
  const [state] = await db.query<{ tip: number; time: Date }>(
    sql`select tip, tip_time as time from countersign.chain_state where chain = ${chain.id}`,
  )
  if (!state || state.tip > head.number || head.number - state.tip > mostBehind) return head
  return { number: state.tip, timestamp: state.time.getTime() / 1000 }
}

/** Block that holdings are read at; its time is in seconds. */
export type ReadBlock = { number: number; timestamp: number }

/** Rejects a block older than `staleAfter`: a stalled node would confirm the state of its last block forever. */
export function checkAge({ clock, config }: Context, chain: Chain, { number, timestamp }: ReadBlock): void {
  const age = Math.round(clock.now().getTime() / 1000 - timestamp)
  if (age <= config.tokenGates.staleAfter) return
  throw new CountersignError(
    'ConnectionFailed',
    `The newest block of ${chain.name}, ${number}, is ${age} seconds old. Its node may have stopped.`,
    { details: 'See tokenGates.staleAfter in docs/token-gates.md.' },
  )
}

export type Holding = { gate: TokenGate; wallet: Wallet; amount: bigint }

/**
 * Reads the holdings of wallets for gates, at one block. A contract that reverts counts as not held, and so does a
 * wallet whose proof is no longer valid. Throws if a node fails.
 */
export async function readHoldings(
  context: Context,
  chain: Chain,
  gates: readonly TokenGate[],
  wallets: readonly Wallet[],
  block: number,
): Promise<Holding[]> {
  const proven = await findProven(context, chain, wallets, block)
  const isProven = new Set(proven)
  const parts = await Promise.all(gates.map((gate) => readGateHoldings(chain, gate, proven, block)))
  const lost = wallets.filter((wallet) => !isProven.has(wallet))
  await markWallets(
    context,
    lost.filter(({ codeHash }) => codeHash !== null),
    'lapsed',
  )
  return [...parts.flat(), ...gates.flatMap((gate) => lost.map((wallet) => ({ gate, wallet, amount: 0n })))]
}

async function readGateHoldings(
  chain: Chain,
  gate: TokenGate,
  wallets: readonly Wallet[],
  block: number,
): Promise<Holding[]> {
  const amounts = await readAmounts(
    chain,
    gate,
    wallets.map(({ address }) => address),
    block,
  )
  return wallets.map((wallet, place) => ({ gate, wallet, amount: amounts[place] ?? 0n }))
}

/** Reads the amounts that addresses hold; `undefined` if the contract does not return them. */
export async function readAmounts(
  chain: Chain,
  { kind, token, id }: TokenGate,
  addresses: readonly Hex[],
  block: number,
): Promise<(bigint | undefined)[]> {
  if (kind === 'native' || !token) return (await getNativeBalances(chain, { addresses, block })).balances
  if (kind === 'erc721' && id !== null) {
    const [answer] = await chain.multicall([{ to: token, data: encodeCall(selectors.ownerOf, id) }], block)
    const owner = answer && findAddress(answer)
    return addresses.map((address) => (address === owner ? 1n : 0n))
  }
  const calls = addresses.map((address): ContractCall => {
    const data = id === null ? encodeCall(selectors.balanceOf, address) : encodeCall(selectors.balanceOfId, address, id)
    return { to: token, data }
  })
  return (await chain.multicall(calls, block)).map((result) => findUint(result))
}

/** Writes down who holds enough and who does not, and gives and takes roles by that. */
export async function writeHoldings(
  context: Context,
  holdings: readonly Holding[],
  { number: block, timestamp }: ReadBlock,
): Promise<void> {
  const { db, clock, config } = context
  // A chain may begin again, and a node may once have named a block that never was: that holds for a while, not for ever.
  const stale = new Date(clock.now().getTime() - config.tokenGates.staleAfter * 1000)
  const enough = holdings.filter(({ gate, amount }) => amount >= gate.amount)
  const short = holdings.filter(({ gate, amount }) => amount < gate.amount)
  const changed = await db.transaction(async () => {
    // As old as the block that tells it.
    const seen = new Date(Math.min(clock.now().getTime(), timestamp * 1000))
    await db.query(sql`
      insert into countersign.gate_holders as known (gate, wallet, held, amount, block, seen)
      select g."objectId", w.key, true, given.amount, ${block}, ${seen}
      from ${rowsOf(enough)}
      join countersign.gates g on g."objectId" = given.gate
      join countersign.wallets w on w.key = given.wallet
      on conflict (gate, wallet) do update set
        held = true, amount = excluded.amount, block = excluded.block, seen = excluded.seen
      where known.block <= excluded.block or known.seen < ${stale}`)
    await db.query(sql`
      update countersign.gate_holders h set held = false, amount = given.amount, block = ${block}, seen = ${seen}
      from ${rowsOf(short)}
      where h.gate = given.gate and h.wallet = given.wallet and h.held
        and (h.block <= ${block} or h.seen < ${stale})`)
    const users = [...new Set(holdings.map(({ wallet }) => wallet.user))]
    return refreshMembers(context, users)
  })
  if (changed > 0) context.log.info({ changed }, 'members of gated roles changed')
}

const rowsOf = (holdings: readonly Holding[]) => sql`unnest(${holdings.map(({ gate }) => gate.objectId)}::text[],
  ${holdings.map(({ wallet }) => wallet.key)}::text[],
  ${holdings.map(({ amount }) => String(amount))}::numeric[]) as given (gate, wallet, amount)`

/** Updates members by the holders, of all users unless some are given. Returns the number of changes. */
export async function refreshMembers({ db, roleCache }: Context, users?: string[]): Promise<number> {
  const [row] = await db.query<{ changed: number }>(
    sql`select countersign.refresh_gated(${users ?? null}::text[], null) as changed`,
  )
  const changed = row?.changed ?? 0
  if (changed > 0) await db.afterCommit(() => roleCache.forgetAll())
  return changed
}
