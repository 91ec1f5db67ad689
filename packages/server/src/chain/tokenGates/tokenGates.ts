import { CountersignError, type TokenGateRecord } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import { newObjectId } from '../../classes/names.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import type { Chain, Chains, Hex } from '../nodes/Chain.ts'
import { getChains } from '../nodes/getChains.ts'
import { readHex } from '../nodes/quantities.ts'
import { getNftContracts } from '../reads/tokens.ts'
import { checkTokenGates, readAmounts, refreshMembers } from './checkTokenGates.ts'
import { readTokenGate, type TokenGate, type TokenGateRow, tokenGateColumns } from './TokenGate.ts'

/** Each one is asked for of every wallet. */
const mostGates = 200

/** Makes a gate on a role and looks at every wallet. Who passes any gate of a role holds it. */
async function createTokenGate(context: Context, chains: Chains, input: TokenGateInput): Promise<TokenGateRecord> {
  const { db, clock } = context
  const asked = readTokenGateInput(input)
  const chain = chains.get(input.chain)
  const gate: TokenGate = {
    ...asked,
    objectId: newObjectId(),
    chain: chain.id,
    role: await findRole(context, input.role),
  }
  await checkContract(chain, gate)
  const now = clock.now()
  const due = new Date(now.getTime() + context.config.tokenGates.interval * 1000)
  const made = await db.query(sql`
    insert into countersign.gates ("objectId", role, chain, kind, token, id, amount, "createdAt", due)
    select ${gate.objectId}, ${gate.role}, ${gate.chain}, ${gate.kind}, ${gate.token},
      ${gate.id === null ? null : String(gate.id)}::numeric, ${String(gate.amount)}::numeric, ${now}, ${due}
    where (select count(*) from countersign.gates) < ${mostGates}
    returning 1`)
  if (made.length === 0)
    throw new CountersignError('ExceededQuota', `The limit of ${mostGates} token gates has been reached.`)
  // A node's failure is stored with the gate, and the check is retried.
  await checkTokenGates(context, chains, [gate]).catch(() => {})
  return getTokenGate(context, gate.objectId)
}

async function findRole({ db }: Context, name: string): Promise<string> {
  const [role] = await db.query<{ objectId: string }>(sql`select "objectId" from public."_Role" where "name" = ${name}`)
  if (!role) throw new CountersignError('ObjectNotFound', 'Role not found. Create it first with POST /roles.')
  return role.objectId
}

/** A gate on another contract would stay closed without an error. */
async function checkContract(chain: Chain, gate: TokenGate): Promise<void> {
  if (gate.kind === 'native' || !gate.token) {
    await chain.head({ fresh: true })
    return
  }
  const code = readHex(await chain.request('eth_getCode', [gate.token, 'latest'], { keep: 'none' }))
  if (code === '0x') {
    throw new CountersignError('InvalidValue', `There is no contract at ${gate.token} on ${chain.name}.`)
  }
  if (gate.kind !== 'erc20') {
    const [contract] = await getNftContracts(chain, [gate.token])
    if (contract?.kind && contract.kind !== gate.kind) {
      throw new CountersignError('InvalidValue', `The contract is ${contract.kind}, not ${gate.kind}.`)
    }
  }
  const { number } = await chain.head({ fresh: true })
  const [amount] = await readAmounts(chain, gate, [gate.token], number)
  if (amount !== undefined) return
  throw new CountersignError(
    'InvalidValue',
    `The contract at ${gate.token} does not implement balanceOf of ${gate.kind}, so no wallet could hold it.`,
  )
}

type TokenGateInput = z.output<Contract['createTokenGate']['input']>

/** Reads the fields that fit the gate's kind. Amounts are in the token's smallest unit. */
function readTokenGateInput(input: Omit<TokenGateInput, 'role'>): Omit<TokenGate, 'objectId' | 'role' | 'chain'> {
  const { kind } = input
  const amount = input.amount ?? 1n
  const id = input.tokenId ?? null
  if (kind === 'native') {
    refuse(input, ['token', 'tokenId'], 'the currency of a chain')
    return { kind, token: null, id: null, amount }
  }
  const token = readAddress(input.token, 'token')
  if (kind === 'erc20') {
    refuse(input, ['tokenId'], 'an ERC-20')
    return { kind, token, id: null, amount }
  }
  if (kind === 'erc1155' && id === null) {
    throw new CountersignError('InvalidValue', 'tokenId is required for ERC-1155, because each id has its own balance.')
  }
  if (kind === 'erc721' && id !== null && amount !== 1n) {
    throw new CountersignError('InvalidValue', 'An ERC-721 token has an amount of one. Leave out amount.')
  }
  return { kind, token, id, amount }
}

function refuse(input: Omit<TokenGateInput, 'role'>, names: ('token' | 'tokenId')[], what: string): void {
  const odd = names.find((name) => input[name] !== undefined && input[name] !== null)
  if (odd) throw new CountersignError('InvalidValue', `${odd} is not used for ${what}. Remove it.`)
}

/** An address as callers write it, in lower case. */
export function readAddress(value: unknown, name = 'address'): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase() as Hex
  throw new CountersignError('InvalidValue', `${name} must be an address: 0x and 40 hex digits.`)
}

/** Reads how much of a gate's token an address holds. Operators try a gate with it before it gives a role. */
export async function readHolding(
  context: Context,
  input: Omit<TokenGateInput, 'role'> & { address: string },
): Promise<{ isHeld: boolean; amount: string; block: number }> {
  const chain = getChains(context).get(input.chain)
  const gate: TokenGate = { ...readTokenGateInput(input), objectId: '', chain: chain.id, role: '' }
  await checkContract(chain, gate)
  const { number: block } = await chain.head({ fresh: true })
  const [amount = 0n] = await readAmounts(chain, gate, [readAddress(input.address)], block)
  return { isHeld: amount >= gate.amount, amount: String(amount), block }
}

/** Deletes a gate. Who held the role by it alone holds it no more. */
async function deleteTokenGate(context: Context, objectId: string): Promise<Record<never, never>> {
  const { db } = context
  await db.transaction(async () => {
    const gone = await db.query(sql`delete from countersign.gates where "objectId" = ${objectId} returning 1`)
    if (gone.length === 0) throw noGate()
    await refreshMembers(context)
  })
  return {}
}

type Row = {
  objectId: string
  role: string
  chain: number
  kind: string
  token: string | null
  tokenId: string | null
  amount: string
  createdAt: Date
  checkedAt: Date | null
  block: number | null
  error: string | null
  members: number
}

const columns = sql`g."objectId", r."name" as role, g.chain, g.kind, g.token, g.id::text as "tokenId",
  g.amount::text as amount, g."createdAt", g.checked as "checkedAt", g.block, g.error,
  (select count(distinct w."user")::integer from countersign.gate_holders h
    join countersign.wallets w on w.key = h.wallet where h.gate = g."objectId" and h.held) as members`

/** The gates, or those of a role. */
async function listTokenGates({ db }: Context, role?: string): Promise<{ results: TokenGateRecord[] }> {
  const isWanted = role === undefined ? sql`true` : sql`r."name" = ${role}`
  const rows = await db.query<Row>(sql`
    select ${columns}
    from countersign.gates g
    join public."_Role" r on r."objectId" = g.role
    where ${isWanted}
    order by g."createdAt", g."objectId"`)
  return { results: rows.map(encode) }
}

async function getTokenGate({ db }: Context, objectId: string): Promise<TokenGateRecord> {
  const [row] = await db.query<Row>(sql`
    select ${columns}
    from countersign.gates g
    join public."_Role" r on r."objectId" = g.role
    where g."objectId" = ${objectId}`)
  if (!row) throw noGate()
  return encode(row)
}

function noGate(): CountersignError {
  return new CountersignError('ObjectNotFound', 'Token gate not found.')
}

function encode({ createdAt, checkedAt, ...row }: Row): TokenGateRecord {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return {
    ...(Object.fromEntries(given) as Omit<TokenGateRecord, 'createdAt'>),
    createdAt: createdAt.toISOString(),
    ...(checkedAt && { checkedAt: checkedAt.toISOString() }),
  }
}

/** Looks at every wallet for one gate now. */
async function checkTokenGateNow(context: Context, chains: Chains, objectId: string): Promise<TokenGateRecord> {
  const [row] = await context.db.query<TokenGateRow>(
    sql`select ${tokenGateColumns} from countersign.gates g where g."objectId" = ${objectId}`,
  )
  if (!row) throw noGate()
  await checkTokenGates(context, chains, [readTokenGate(row)], { atHead: true })
  return getTokenGate(context, objectId)
}

export const listTokenGatesEndpoint = defineEndpoint('listTokenGates', {
  handle: ({ context, input }) => listTokenGates(context, input.role || undefined),
})

export const createTokenGateEndpoint = defineEndpoint('createTokenGate', {
  location: (output) => `/tokenGates/${(output as { objectId: string }).objectId}`,
  handle: ({ context, input }) => createTokenGate(context, getChains(context), input),
})

export const getTokenGateEndpoint = defineEndpoint('getTokenGate', {
  handle: ({ context, params }) => getTokenGate(context, params.objectId),
})

export const deleteTokenGateEndpoint = defineEndpoint('deleteTokenGate', {
  handle: ({ context, params }) => deleteTokenGate(context, params.objectId),
})

export const checkTokenGateEndpoint = defineEndpoint('checkTokenGate', {
  handle: ({ context, params }) => checkTokenGateNow(context, getChains(context), params.objectId),
})
