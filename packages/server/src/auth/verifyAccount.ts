import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { ProvenAccount } from './Account.ts'
import type { Namespace } from './Namespace.ts'
import { listClaims } from './provisionalWallets.ts'
import { recoverSigner } from './recoverSigner.ts'
import { verifyContractSignature } from './verifyContractSignature.ts'
import { verifySolanaSignature } from './verifySolanaSignature.ts'

/** What was signed, and by whom it says it was: an EVM address in lower case. */
export type SignedText = { namespace: Namespace; address: string; chainId: string; text: string; signature: string }

/** Long enough for a multi-signature account; a longer one only serves to keep us busy. */
const longestSignature = 20_000

/** `claim` is the key of the wallet that the same owner proved before the account was deployed. */
type Verified = { account: ProvenAccount; claim?: string | undefined }

/** The account that signed the text, or `undefined` where the signature is not its own. */
export async function verifyAccount(
  context: Context,
  caller: Caller,
  signed: SignedText,
): Promise<Verified | undefined> {
  const { config } = context
  if (signed.signature.length > longestSignature) return undefined
  if (signed.namespace === 'solana') {
    const { address, text, signature } = signed
    if (!config.wallet.solana || !verifySolanaSignature(address, text, signature)) return undefined
    return { account: { namespace: 'solana', kind: 'solana', chainId: null, address } }
  }
  const { address } = signed
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signed.signature)) return undefined
  const signer = await recoverSigner(signed.text, Buffer.from(signed.signature.slice(2), 'hex'))
  if (signer === address) return { account: { namespace: 'eip155', kind: 'eoa', chainId: null, address } }
  const claims = await listClaims(context, caller, signed)
  const proof = await verifyContractSignature(config, {
    chainId: Number(signed.chainId),
    address,
    text: signed.text,
    signature: signed.signature,
    earlier: claims,
    left: caller.left?.(),
  })
  if (!proof) return undefined
  const { kind, codeHash, deployment, accepted } = proof
  const account: ProvenAccount = { namespace: 'eip155', kind, codeHash, chainId: signed.chainId, address }
  if (deployment !== undefined) return { account: { ...account, deployment } }
  return { account, claim: claims.find((_, index) => accepted[index])?.key }
}
