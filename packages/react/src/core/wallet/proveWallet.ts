import { type ChallengePurpose, CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import type { Connector } from './Connector.ts'
import { changedAccount } from './changedAccount.ts'
import { checkFields } from './checkFields.ts'
import { checkMessage } from './checkMessage.ts'
import { findOpenSigner } from './findOpenSigner.ts'
import { isSameAddress } from './isSameAddress.ts'
import { openWallet } from './openWallet.ts'
import type { Prompt } from './Prompt.ts'
import type { ChosenSigner } from './readSigner.ts'
import { resolveConnector } from './resolveConnector.ts'
import type { Signer } from './Signer.ts'
import { signText } from './signText.ts'
import { isExpired, type WalletProof } from './WalletProof.ts'

/** What is to be proven: the purpose, and the wallet that does it. */
export type ProofWish = Pick<Prompt, 'signal'> & { readonly purpose: ChallengePurpose; readonly chosen: ChosenSigner }

/** Has the wallet sign the server's message and hands that in. One that took too long to sign is fetched anew, once. */
export async function proveWallet<Answer>(
  client: Client,
  wish: ProofWish,
  handIn: (proof: WalletProof) => Promise<Answer>,
): Promise<Answer> {
  const signAndHandIn = async () => {
    const proof = await prove(client, wish)
    wish.chosen.onSigned?.(proof.signature)
    return handIn(proof)
  }
  try {
    return await signAndHandIn()
  } catch (error) {
    if (!(error instanceof CountersignError) || !isExpired(error)) throw error
  }
  return signAndHandIn()
}

async function prove(client: Client, wish: ProofWish): Promise<WalletProof> {
  const { chosen, signal } = wish
  if (chosen.signer) return sign(client, wish, chosen.signer, chosen.shown)
  const connector = await resolveConnector(client, chosen.connector, signal)
  const known = findOpenSigner(client, connector)
  if (known) return sign(client, wish, known.signer, known.shown)
  if (connector.signIn) return signInAtOnce(client, wish, connector, connector.signIn)
  const options = { signal, onUri: chosen.onUri }
  const { signer, accounts } = await openWallet(client, connector, options, async (asked) => ({
    link: await connector.connect(asked),
  }))
  if (!signer) {
    throw new CountersignError('OperationForbidden', `${connector.name} can only read and signs nothing.`, {
      details: 'Connect a wallet that holds a key.',
    })
  }
  return sign(client, wish, signer, accounts[0])
}

async function sign(client: Client, wish: ProofWish, signer: Signer, shown?: string): Promise<WalletProof> {
  const { chosen, purpose, signal } = wish
  const { namespace } = signer
  return signText(signer, { shown, signal }, async ({ address, chainId }) => {
    const wanted = { purpose, namespace, address, chainId: chosen.chainId ?? chainId }
    const { message } = await request(client, 'createChallenge', wanted, { signal })
    checkMessage(message, namespace, address)
    chosen.onMessage?.(message)
    return message
  })
}

/** One prompt for both. The wallet writes the text, so what it claims is read from what it signed (S29). */
async function signInAtOnce(
  client: Client,
  { chosen, purpose, signal }: ProofWish,
  connector: Connector,
  signIn: NonNullable<Connector['signIn']>,
): Promise<WalletProof> {
  const { namespace } = connector
  const { fields } = await request(
    client,
    'createChallenge',
    { purpose, namespace, chainId: chosen.chainId },
    { signal },
  )
  checkFields(fields)
  const { message, signature, accounts, address } = await openWallet(
    client,
    connector,
    { signal, onUri: chosen.onUri },
    (asked) => signIn(asked, fields),
  )
  checkMessage(message, namespace, address)
  if (!isSameAddress(namespace, accounts[0], address)) {
    throw changedAccount()
  }
  chosen.onMessage?.(message)
  return { message, signature }
}
