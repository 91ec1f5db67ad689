import type { Client } from '../../client/Client.ts'
import { requireString } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { askPasskey } from '../../session/askPasskey.ts'
import { request } from '../../session/request.ts'
import type { WalletProof } from '../../wallet/proof/WalletProof.ts'
import type { RecoverAccountInput } from '../inputs.ts'

export async function recoverAccountBy(
  client: Client,
  input: Extract<RecoverAccountInput, { password: string } | { passkey: true }>,
  { signal }: ActionOptions = {},
): Promise<void> {
  const { token } = input
  requireString('token', token)
  if ('passkey' in input) {
    await request(client, 'recoverAccount', { token, ...(await askPasskey(client, 'signIn', signal)) }, { signal })
    return
  }
  const { password, newPassword } = input
  requireString('password', password)
  requireString('newPassword', newPassword)
  await request(client, 'recoverAccount', { token, password, newPassword }, { signal })
}

export async function recoverAccountWithWallet(
  client: Client,
  { token }: { token: string },
  proof: WalletProof,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireString('token', token)
  await request(client, 'recoverAccount', { token, ...proof }, { signal })
}
