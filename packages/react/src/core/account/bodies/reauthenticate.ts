import type { EndpointTypes } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { requireString, requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { askFarcaster } from '../../session/askFarcaster.ts'
import { askPasskey } from '../../session/askPasskey.ts'
import { loadProviderWindow } from '../../session/loadProviderWindow.ts'
import { renewing, takeToken } from '../../session/renewCredential.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { WalletProof } from '../../wallet/proof/WalletProof.ts'
import type { Proof, Reauthentication, SecondCode } from '../inputs.ts'

export async function reauthenticateBy(
  client: Client,
  input: SecondCode & Proof,
  popup: Window | undefined,
  { signal }: ActionOptions = {},
): Promise<Reauthentication> {
  const confirm = createConfirm(client, input, { signal })
  if ('password' in input) {
    const { password } = input
    requireString('password', password)
    return confirm({ password })
  }
  if ('emailCode' in input) return confirm({ emailCode: input.emailCode })
  if ('passkey' in input) return confirm(await askPasskey(client, 'reauthenticate', signal))
  if ('credential' in input) return confirm({ credential: input.credential })
  if ('farcaster' in input) {
    const proof = await askFarcaster(client, 'reauthenticate', input.farcaster, signal)
    const [, id = ''] = /^- farcaster:\/\/fid\/(\d+)$/m.exec(proof.message) ?? []
    return confirm({ authData: { farcaster: { id, ...proof } } })
  }
  const { askProvider } = await loadProviderWindow()
  return confirm({ provider: await askProvider(client, 'reauthenticate', input, popup, signal) })
}

export function reauthenticateWithWallet(
  client: Client,
  input: SecondCode,
  proof: WalletProof,
  { signal }: ActionOptions = {},
): Promise<Reauthentication> {
  return createConfirm(client, input, { signal })(proof)
}

/** Shows the server the proof, together with a second factor's code where there is one. */
function createConfirm(client: Client, { secondFactorCode }: SecondCode, { signal }: ActionOptions = {}) {
  const { credential } = requireUser(client, 'confirming')
  const further = secondFactorCode === undefined ? {} : { secondFactorCode }
  return async (shown: EndpointTypes['reauthenticate']['input']): Promise<Reauthentication> => {
    const ask = async () =>
      takeToken(client, credential, await request(client, 'reauthenticate', { ...shown, ...further }, { signal }))
    return toDated(await renewing(client, ask))
  }
}
