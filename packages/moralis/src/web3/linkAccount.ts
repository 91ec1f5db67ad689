import { CountersignError } from '@countersign/protocol'
import { requireProvider } from '@countersign/react/adapter'
import {
  type Client,
  getUser,
  linkWallet,
  listLinkedWallets,
  type User,
  unlinkWallet,
  ValidationError,
} from '@countersign/react/core'

/** Adds the connected wallet to the user's account. It always signs: a name alone proves nothing. */
export async function linkAccount(client: Client, account: string | undefined): Promise<User> {
  requireProvider(client)
  const { account: present = '' }: { account?: string } = client.wallet.get() as object
  if (account !== undefined && account.toLowerCase() !== present.toLowerCase()) {
    throw new ValidationError(`The wallet uses ${present || 'no account'}.`, `Choose ${account} in the wallet first.`)
  }
  await linkWallet(client, {})
  return requireCurrent(client)
}

export async function unlinkAccount(client: Client, account: string): Promise<User> {
  const wallets = (await listLinkedWallets(client)) ?? []
  const found = wallets.find(({ address }) => address.toLowerCase() === account.toLowerCase())
  if (!found) throw new CountersignError('ObjectNotFound', `The wallet ${account} is not linked to this account.`)
  await unlinkWallet(client, { objectId: found.objectId })
  return requireCurrent(client)
}

function requireCurrent(client: Client): User {
  const user = getUser(client)
  if (user) return user
  throw new CountersignError('ObjectNotFound', 'Could not get user')
}
