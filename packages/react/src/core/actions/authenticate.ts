import { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import { createCredential } from '../session/createCredential.ts'
import { signIn } from '../session/signIn.ts'
import type { User } from '../User.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { proveWallet } from '../wallet/proveWallet.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { readRecord } from '../wire/readRecord.ts'

/**
 * Signs a user in by wallet: the wallet signs a message of the server, once. An account that is new here is made.
 *
 * @example
 * const user = await authenticate(client, { signer: createEip1193Signer(window.ethereum) })
 */
export function authenticate(
  client: Client,
  input: SignerInput,
  callbacks: Callbacks<User> = {},
): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
    const chosen = readSigner(input)
    const connection = requireConnection(client)
    return openPrompt(client, 'signIn', chosen, callbacks.signal, (prompt) => {
      const ask = async () => {
        const answer = await proveWallet(client, prompt, (proof) => request(client, 'signInWithWallet', proof, prompt))
        const record = readRecord(answer)
        const credential = createCredential(connection, answer.sessionToken)
        if (!record || !credential) throw new CountersignError('ObjectNotFound', 'No user data found after sign-in')
        return { record, credential }
      }
      return signIn(client, connection, ask, prompt)
    })
  })
}
