import { type Client, CountersignError, errorCodes } from '@countersign/react'
import { request } from '@countersign/react/core'
import type { SentTransfer } from '../../chain/sentTransfers.ts'

/**
 * Addresses that the account has met on a chain. Anyone can put an address into somebody's transfers: by sending them
 * nothing, or by a token of their own that claims anything. Only `trusted` ones were chosen by the account's owner.
 */
export type KnownAddresses = { trusted: ReadonlySet<string>; seen: ReadonlySet<string> }

type Input = {
  chain: number
  account: string
  /** The person's own accounts. */
  own: readonly string[]
  sent: readonly SentTransfer[]
}

const most = 250

export async function readKnownAddresses(
  client: Client,
  { chain, account, own, sent }: Input,
  signal: AbortSignal,
): Promise<KnownAddresses> {
  const of = { chain: String(chain), address: account.toLowerCase(), limit: most }
  const [transfers, transactions] = await Promise.all([
    orNothing(request(client, 'listTransfers', of, { signal })),
    orNothing(request(client, 'listTransactions', of, { signal })),
  ])
  const signed = transactions.filter(({ from, status }) => isSame(from, account) && status !== 'failed')
  const trusted = [
    ...own,
    ...sent.filter(({ stage }) => stage !== 'replaced').map(({ to }) => to),
    ...signed.flatMap(({ to, value, input }) => findRecipient(to, value, input) ?? []),
  ]
  const seen = [
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...transactions.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])),
  ]
  const toSet = (all: readonly string[]) => new Set(all.map((each) => each.toLowerCase()))
  return { trusted: toSet(trusted), seen: toSet(seen) }
}

/** A chain that the server does not index has no history to compare with. That it cannot be reached is another matter. */
async function orNothing<Row>(asked: Promise<{ result: readonly Row[] }>): Promise<readonly Row[]> {
  try {
    return (await asked).result
  } catch (error) {
    if (error instanceof CountersignError && error.code === errorCodes.CommandUnavailable) return []
    throw error
  }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Index of the recipient parameter, by the call's selector. */
const receivers: Readonly<Record<string, number>> = {
  a9059cbb: 0, // transfer(to, amount)
  '42842e0e': 1, // safeTransferFrom(from, to, id)
  '23b872dd': 1, // transferFrom(from, to, amount)
  f242432a: 1, // safeTransferFrom(from, to, id, amount, data)
}

/** Recipient of a transaction, as its sender wrote it. */
export function findRecipient(to: string | undefined, value: string, input: string): string | undefined {
  if (to === undefined) return undefined
  if (input === '0x') return value === '0' ? undefined : to
  const place = receivers[input.slice(2, 10)]
  if (place === undefined) return undefined
  const word = input.slice(10 + 64 * place, 10 + 64 * (place + 1))
  return /^0{24}[0-9a-f]{40}$/i.test(word) ? `0x${word.slice(24)}` : undefined
}

export type Standing =
  | { status: 'known' }
  | { status: 'new' }
  /** It begins and ends like a known address, and is another. */
  | { status: 'lookalike'; of: string }

/** Rates a recipient. Scammers create addresses that, once shortened, look like one paid before. */
export function judgeRecipient(recipient: string, { trusted, seen }: KnownAddresses): Standing {
  const address = recipient.toLowerCase()
  const isTrusted = trusted.has(address)
  // If two similar addresses were both paid, one payment went to a scammer.
  const others = isTrusted ? trusted : [...trusted, ...seen]
  const twin = [...others].find((each) => each !== address && looksLike(each, address))
  if (twin !== undefined) return { status: 'lookalike', of: twin }
  return { status: isTrusted ? 'known' : 'new' }
}

/** As many characters as people compare at each end. */
const compared = 3

function looksLike(one: string, other: string): boolean {
  return one.slice(2, 2 + compared) === other.slice(2, 2 + compared) && one.slice(-compared) === other.slice(-compared)
}
