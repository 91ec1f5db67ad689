import { CountersignError } from '@countersign/protocol'
import { untilAborted } from '../../errors/errors.ts'
import type { Signer, SignerAccount, SignInFields } from '../../state/Connector.ts'
import { isSameAddress, toWalletError } from '../connection/askProvider.ts'

export type Signed = { readonly message: string; readonly signature: string }

/** Has a wallet sign a text that may depend on its account. The account is compared before and after. */
export async function signText(
  signer: Signer,
  { shown, signal }: { shown: string | undefined; signal: AbortSignal },
  write: (account: SignerAccount) => Promise<string>,
): Promise<Signed> {
  const { namespace } = signer
  const ask = <Result>(call: () => Promise<Result>) => untilAborted(call, signal).catch(toWalletError)
  const account = await ask(() => signer.getAccount())
  if (!account?.address) throw failure('Cannot authenticate, no account returned from provider')
  const { address } = account
  if (shown !== undefined && !isSameAddress(namespace, shown, address)) {
    throw changed(
      'The wallet uses a different account than the one shown.',
      `Shown: ${shown}. In the wallet: ${address}.`,
    )
  }
  const message = await write(account)
  const signature = await ask(() => signer.signMessage(message, account))
  if (!signature) throw failure('Data not signed')
  // The person may have changed the account in the wallet's own window: the page would show somebody else.
  const present = await ask(() => signer.getAccount({ prompt: false }))
  if (!isSameAddress(namespace, present?.address, address)) {
    throw changed(
      'The account in the wallet changed while signing.',
      `It changed from ${address} to ${present?.address}.`,
    )
  }
  return { message, signature }
}

function failure(message: string): CountersignError {
  return new CountersignError('OtherCause', message)
}

function changed(message: string, details: string): CountersignError {
  return new CountersignError('OtherCause', message, { reason: 'walletAccountChanged', details })
}

const words = { eip155: 'Ethereum', solana: 'Solana' } as const

/**
 * Refuses a text that is not for this page and this account: a server, or a proxy before it, that passes on the
 * message of another site would get a signature that is good there.
 */
export function checkMessage(
  message: string | undefined,
  namespace: Signer['namespace'],
  address: string,
): asserts message is string {
  const [first = '', second] = (message ?? '').split('\n', 2)
  const ending = ` wants you to sign in with your ${words[namespace]} account:`
  const page = globalThis.window?.location
  const isForPage =
    !page?.host || (first === page.host + ending && message?.split('\n').includes(`URI: ${page.origin}`) === true)
  if (first.endsWith(ending) && isForPage && isSameAddress(namespace, second, address)) return
  throw new CountersignError('OperationForbidden', 'The server asked for a signature that is not for this page.', {
    details: `Expected a message for ${page?.host || 'any host'} and ${address}, received ${JSON.stringify(message?.slice(0, 200))}.`,
  })
}

/** Checks that a wallet which writes the text itself wrote the requested one. The chain is the wallet's. */
export function isMessageOf(message: string, fields: SignInFields, address: string): boolean {
  const { namespace, domain, statement, uri, nonce, issuedAt, expirationTime } = fields
  const head = `${domain} wants you to sign in with your ${words[namespace]} account:\n`
  const rest = `\n\n${statement}\n\nURI: ${uri}\nVersion: 1\nChain ID: `
  const end = `\nNonce: ${nonce}\nIssued At: ${issuedAt}\nExpiration Time: ${expirationTime}`
  const [named = '', chain = ''] = message.slice(head.length, message.length - end.length).split(rest)
  const isWhole = message === head + named + rest + chain + end
  return isWhole && isSameAddress(namespace, named, address) && /^\d{1,15}$/.test(chain)
}

/** Error for a signature of another account. */
export function changedAccount(): CountersignError {
  return new CountersignError('OtherCause', 'The account in the wallet changed while signing.', {
    reason: 'walletAccountChanged',
    details: 'No user was signed in. Try again with the current account of the wallet.',
  })
}
