import { type EndpointTypes, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { accountKey, type Namespace, type ProvenAccount, type Purpose } from '../Account.ts'
import { type KeptChallenge, takeChallenge } from '../challenges.ts'
import { anyChain, isListedChain } from '../createChallenge.ts'
import {
  endFormerHolder,
  isSameHolder,
  type LinkedContract,
  listLinkedContracts,
  sealProof,
  signerOf,
} from './contractHolders.ts'
import { checkUndeployed, listClaims, settleWallet } from './provisionalWallets.ts'
import { parseMessage, readEvmAddress, recoverSigner, type SignInMessage } from './SignInMessage.ts'
import { verifyContractSignature } from './verifyContractSignature.ts'
import { verifySolanaSignature } from './verifySolanaSignature.ts'

/** Long enough for a multi-signature account; a longer one only serves to keep us busy. */
const longestSignature = 20_000

export type ProofInput = EndpointTypes['signInWithWallet']['input']
export type Proof = {
  account: ProvenAccount
  message: string
  signature: string
  /** A stranger's server may have had it signed on a page of its own. */
  isRelayable?: boolean
}

/**
 * Verifies a wallet's signature for our challenge with this purpose, and returns the account. Every refusal consumes
 * the challenge.
 */
export async function verifyWalletProof(
  context: Context,
  caller: Caller,
  purpose: Purpose,
  input: ProofInput,
): Promise<Proof> {
  requireMethod(context, 'wallet')
  const { message: text, signature } = input
  const message = parseMessage(text)
  if (!message) throw refuse('messageNotOurs')
  const { nonce } = message
  const challenge = await takeChallenge(context, caller, { nonce, purpose, namespaces: ['eip155', 'solana'] })
  checkParts(context, message, challenge)
  const address = readAddress(message, challenge.address)
  const verified = address && (await verifyAccount(context, caller, { ...message, address, text, signature }))
  if (!verified) throw refuse('invalidSignature')
  const { account, claim, former = [] } = verified
  for (const one of former) await endFormerHolder(context, caller, purpose, one)
  if (account.deployment !== undefined) await checkUndeployed(context, purpose, account)
  if (claim !== undefined) await settleWallet(context, caller, claim, account)
  if (account.codeHash !== undefined) await noteProof(context, caller, purpose, account)
  return { account, message: text, signature }
}

/**
 * A contract that is linked already was proven again, by the code that it has now: gates compare that. Who signs in by
 * it becomes its user; for any other purpose the proof counts for a wallet of the caller's own alone.
 */
async function noteProof({ db }: Context, caller: Caller, purpose: Purpose, account: ProvenAccount): Promise<void> {
  const { kind, codeHash, proof } = account
  const isMeant = purpose === 'signIn' ? sql`true` : sql`"user" = ${caller.session?.userId ?? ''}`
  await db.query(sql`
    update countersign.wallets set kind = ${kind}, code_hash = ${codeHash}, proof = ${proof ?? null}, lapsed = null
    where key = ${accountKey(account)} and ${isMeant}`)
}

/** Every part must be the one we wrote, but for the address and chain where the wallet was to fill them in. */
function checkParts({ config }: Context, message: SignInMessage, challenge: KeptChallenge): void {
  const same =
    message.namespace === challenge.namespace &&
    message.domain === challenge.domain &&
    message.uri === challenge.uri &&
    message.statement === challenge.statement &&
    message.issuedAt === challenge.issued.toISOString() &&
    message.expirationTime === challenge.expires.toISOString() &&
    message.notBefore === undefined &&
    message.requestId === undefined &&
    message.resources === undefined &&
    readAddress(message, challenge.address) !== undefined &&
    (message.chainId === challenge.chain_id || challenge.chain_id === anyChain)
  if (!same) throw refuse('messageChanged')
  if (message.namespace === 'eip155' && !isListedChain(config, Number(message.chainId)))
    throw refuse('chainNotAllowed', { chainId: message.chainId }, { code: 'ObjectNotFound', status: 401 })
}

/** Address in the message, normalized; `undefined` if it is misspelled or not the requested one. */
function readAddress(message: SignInMessage, asked: string | null): string | undefined {
  if (message.namespace === 'solana') return asked === null || message.address === asked ? message.address : undefined
  // The spelling of the one that we wrote is right.
  const address = message.address === asked ? asked.toLowerCase() : readEvmAddress(message.address)
  return asked === null || address === asked.toLowerCase() ? address : undefined
}

/** Signed text and the claimed signer: an EVM address is in lower case. */
type SignedText = { namespace: Namespace; address: string; chainId: string; text: string; signature: string }

/**
 * `claim` is the key of the wallet that the same owner proved before the account was deployed; `former` has the wallets
 * of other holders, who had the account before.
 */
type Verified = { account: ProvenAccount; claim?: string | undefined; former?: LinkedContract[] }

/** Earlier proofs of an account that are tried now: each costs a call to a node. */
const mostEarlier = 3

/** The account that signed the text, or `undefined` where the signature is not its own. */
async function verifyAccount(context: Context, caller: Caller, signed: SignedText): Promise<Verified | undefined> {
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
  const key = await signerOf(signed)
  const known = await listLinkedContracts(context, signed)
  const last = known.flatMap(({ proof }) => proof ?? []).slice(0, mostEarlier)
  const claims = await listClaims(context, caller, signed, key)
  const proof = await verifyContractSignature(config, {
    chainId: Number(signed.chainId),
    address,
    text: signed.text,
    signature: signed.signature,
    earlier: [...last, ...claims],
    left: caller.left?.(),
  })
  if (!proof) return undefined
  const { kind, codeHash, deployment, implementation, accepted } = proof
  const sealed = sealProof(context, { text: signed.text, signature: signed.signature, implementation })
  const { chainId } = signed
  const account: ProvenAccount = { namespace: 'eip155', kind, codeHash, chainId, address, proof: sealed, signer: key }
  if (deployment !== undefined) return { account: { ...account, deployment } }
  const former: LinkedContract[] = []
  for (const one of known) {
    const isAccepted = last.some((each, index) => each === one.proof && accepted[index])
    if (!(await isSameHolder(one, proof, signed, isAccepted))) former.push(one)
  }
  return { account, former, claim: claims.find((_, index) => accepted[last.length + index])?.key }
}
