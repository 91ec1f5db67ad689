import { timingSafeEqual } from 'node:crypto'
import { CountersignError, type EndpointTypes, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { accountKey, type ProvenAccount } from './Account.ts'
import { bindingOf, chooseOrigin, isListedChain } from './createChallenge.ts'
import { readEvmAddress } from './evmAddress.ts'
import type { Purpose } from './Namespace.ts'
import { checkUndeployed, settleWallet } from './provisionalWallets.ts'
import { parseMessage, type SignInMessage } from './SignInMessage.ts'
import { verifyAccount } from './verifyAccount.ts'

export type ProofInput = EndpointTypes['signInWithWallet']['input']
export type Proof = { account: ProvenAccount; message: string; signature: string }

type ChallengeRow = {
  purpose: string
  namespace: string
  binding: Buffer
  user: string | null
  domain: string
  uri: string
  statement: string
  address: string | null
  chain_id: string
  issued: Date
  expires: Date
}

/** The account that answered a challenge of ours for this purpose. Every refusal uses the challenge up. */
export async function proveAccount(
  context: Context,
  caller: Caller,
  purpose: Purpose,
  input: ProofInput,
): Promise<Proof> {
  const { message: text, signature } = input
  const message = parseMessage(text)
  if (!message) throw refused('This is not a sign-in message of this server.')
  // Used up before the signature is looked at, so that a failed try cannot be repeated, nor run twice at once.
  const challenge = await consumeChallenge(context, message.nonce)
  if (!challenge) throw refused('This request was answered already, or is not one of ours. Ask for a new one.')
  checkAsker(context, caller, challenge)
  if (challenge.purpose !== purpose) throw refused('This signature was given for another purpose.')
  if (challenge.user !== null && challenge.user !== caller.session?.userId)
    throw refused('This signature was given for another account.')
  if (challenge.expires <= context.clock.now()) throw refuse('challengeExpired')
  checkParts(context, message, challenge)
  const address = readAddress(message, challenge.address)
  const verified = address && (await verifyAccount(context, caller, { ...message, address, text, signature }))
  if (!verified) throw refuse('invalidSignature')
  const { account, claim } = verified
  if (account.deployment !== undefined) await checkUndeployed(context, purpose, account)
  if (claim !== undefined) await settleWallet(context, caller, claim, account)
  if (account.codeHash !== undefined) await noteCode(context, caller, purpose, account)
  return { account, message: text, signature }
}

/**
 * A contract that is linked already was proven again, by the code that it has now: gates compare that. Who signs in by
 * it becomes its user; for any other purpose the proof counts for a wallet of the caller's own alone.
 */
async function noteCode({ db }: Context, caller: Caller, purpose: Purpose, account: ProvenAccount): Promise<void> {
  await db.query({
    text: `update countersign.wallets set kind = $2, code_hash = $3
           where key = $1 and ($4::text is null or "user" = $4) and (kind <> $2 or code_hash is distinct from $3)`,
    values: [
      accountKey(account),
      account.kind,
      account.codeHash,
      purpose === 'signIn' ? null : (caller.session?.userId ?? ''),
    ],
  })
}

async function consumeChallenge({ db }: Context, nonce: string): Promise<ChallengeRow | undefined> {
  const [found] = await db.query<{ row: { [name in keyof ChallengeRow]: string } }>({
    name: 'consume-challenge',
    quick: true,
    text: `with gone as (delete from countersign.challenges where nonce = $1 returning *)
           select row_to_json(gone) as row from gone`,
    values: [nonce],
  })
  if (!found) return undefined
  const { binding, issued, expires, ...rest } = found.row
  return {
    ...rest,
    binding: Buffer.from(binding.slice(2), 'hex'),
    issued: new Date(issued),
    expires: new Date(expires),
  }
}

/** A refusal of a proof: 401 beside the code that older clients know. */
export function refused(sentence: string, details?: string): CountersignError {
  return new CountersignError('ObjectNotFound', sentence, { status: 401, ...(details && { details }) })
}

/** Whoever fetched the challenge must be the one who answers it: a page that relays somebody's signature is not. */
function checkAsker(context: Context, caller: Caller, challenge: ChallengeRow): void {
  const origin = chooseOrigin(context, caller)
  if (
    !timingSafeEqual(challenge.binding, bindingOf(caller)) ||
    (caller.origin !== undefined && origin.origin !== challenge.uri)
  ) {
    throw refuse('challengeOfOtherBrowser')
  }
}

/** Every part must be the one we wrote, but for the address and chain where the wallet was to fill them in. */
function checkParts({ config }: Context, message: SignInMessage, challenge: ChallengeRow): void {
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
    message.chainId === challenge.chain_id
  if (!same) throw refused('The message is not the one that was asked for.')
  if (message.namespace === 'eip155' && !isListedChain(config, Number(message.chainId)))
    throw refused('That chain is not offered here.')
}

/** The address that the message names, as it is compared; `undefined` where it is spelt wrong or not the one that was asked for. */
function readAddress(message: SignInMessage, asked: string | null): string | undefined {
  if (message.namespace === 'solana') return asked === null || message.address === asked ? message.address : undefined
  // The spelling of the one that we wrote is right.
  const address = message.address === asked ? asked.toLowerCase() : readEvmAddress(message.address)
  return asked === null || address === asked.toLowerCase() ? address : undefined
}
