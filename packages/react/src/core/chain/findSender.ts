import type { Address } from 'viem'
import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { readAccounts } from '../wallet/readAccounts.ts'
import type { ChainChoice } from './ChainChoice.ts'
import { type Ask, openChain } from './openChain.ts'
import { requireAddress } from './requireAddress.ts'

/** The account that sends: the one that was named, the connected one, or the first of the given provider. */
export async function findSender(client: Client, choice: ChainChoice, signal?: AbortSignal): Promise<Address> {
  const chain = openChain(client, choice)
  const ask = chain.listen(signal ?? new AbortController().signal)
  return requireAddress('account', chain.account ?? (await findAccount(ask)))
}

async function findAccount(ask: Ask): Promise<string> {
  const [first] = readAccounts(await ask('eth_accounts'))
  if (first) return first
  throw new ValidationError(
    'Sender address not found',
    'This connection can only read. Connect a wallet that can send.',
  )
}
