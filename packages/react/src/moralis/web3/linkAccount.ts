import { CountersignError } from '@countersign/protocol'
import { getUser } from '../../core/actions/getUser.ts'
import { linkWallet } from '../../core/actions/linkWallet.ts'
import { listWallets } from '../../core/actions/listWallets.ts'
import { unlinkWallet } from '../../core/actions/unlinkWallet.ts'
import type { Client } from '../../core/Client.ts'
import { ValidationError } from '../../core/errors/ValidationError.ts'
import type { User } from '../../core/User.ts'
import { requireProvider } from '../../core/wallet/requireProvider.ts'

const loud = { throwOnError: true }

/** Adds the connected wallet to the user's account. It always signs: a name alone proves nothing. */
export async function linkAccount(client: Client, account: string | undefined): Promise<User> {
  requireProvider(client)
  const { account: present = '' }: { account?: string } = client.wallet.get() as object
  if (account !== undefined && account.toLowerCase() !== present.toLowerCase()) {
    throw new ValidationError(`The wallet is on ${present || 'no account'}.`, `Choose ${account} in the wallet first.`)
  }
  await linkWallet(client, {}, loud)
  return requireCurrent(client)
}

export async function unlinkAccount(client: Client, account: string): Promise<User> {
  const wallets = (await listWallets(client, loud)) ?? []
  const found = wallets.find(({ address }) => address.toLowerCase() === account.toLowerCase())
  if (!found) throw new CountersignError('ObjectNotFound', `The wallet ${account} is not linked to this account.`)
  await unlinkWallet(client, { objectId: found.objectId }, loud)
  return requireCurrent(client)
}

function requireCurrent(client: Client): User {
  const user = getUser(client)
  if (user) return user
  throw new CountersignError('ObjectNotFound', 'Could not get user')
}
