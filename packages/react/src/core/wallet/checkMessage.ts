import { CountersignError } from '@countersign/protocol'
import { isSameAddress } from './isSameAddress.ts'
import type { Signer } from './Signer.ts'

const words = { eip155: 'Ethereum', solana: 'Solana' } as const

/**
 * Refuses a text that is not for this page and this account: a server, or whoever stands before it, that passes on the
 * message of another site would get a signature that is good there (S3, S5).
 */
export function checkMessage(
  message: string | undefined,
  namespace: Signer['namespace'],
  address: string,
): asserts message is string {
  const [first = '', second] = (message ?? '').split('\n', 2)
  const ending = ` wants you to sign in with your ${words[namespace]} account:`
  const page = typeof window === 'undefined' ? undefined : window.location
  const isForPage =
    !page?.host || (first === page.host + ending && message?.split('\n').includes(`URI: ${page.origin}`) === true)
  if (first.endsWith(ending) && isForPage && isSameAddress(namespace, second, address)) return
  throw new CountersignError('OperationForbidden', 'The server asked for a signature that is not for this page.', {
    details: `Expected a message for ${page?.host || 'any host'} and ${address}, received ${JSON.stringify(message?.slice(0, 200))}.`,
  })
}
