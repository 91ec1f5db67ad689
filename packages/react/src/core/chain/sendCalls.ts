import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { CallsStatus, Capabilities, SendCallsInput, SentCalls } from './CallsInput.ts'
import type { ChainOptions } from './ChainOptions.ts'

const loadCalls = /*#__PURE__*/ loadOnce(() => import('./walletCalls.ts'))

/**
 * Sends several calls by one wallet prompt (EIP-5792), such as an approval and the call that needs it. A wallet without
 * support gets one transaction after another. Call it on a click.
 *
 * @example
 * const { id } = await sendCalls(client, { calls: [{ to: first, value: 1n }, { to: second, value: 2n }] })
 * const { status } = await getCallsStatus(client, { id })
 */
export function sendCalls(client: Client, input: SendCallsInput, { signal }: ActionOptions = {}): Promise<SentCalls> {
  return runAction(client, async () => (await loadCalls()).submitCalls(client, input, signal))
}

/**
 * State of calls sent by `sendCalls`: pending, confirmed or failed.
 *
 * @example
 * const { status, receipts } = await getCallsStatus(client, { id })
 */
export function getCallsStatus(
  client: Client,
  input: ChainOptions & { readonly id: string },
  { signal }: ActionOptions = {},
): Promise<CallsStatus> {
  return runAction(client, async () => (await loadCalls()).readCallsStatus(client, input, signal))
}

/**
 * Abilities of the wallet by chain (EIP-5792), such as `atomic` or `paymasterService`; empty if it reports none.
 *
 * @example
 * const capabilities = await getCapabilities(client)
 * const canPayForOthers = capabilities[8453]?.paymasterService !== undefined
 */
export function getCapabilities(
  client: Client,
  input: ChainOptions = {},
  { signal }: ActionOptions = {},
): Promise<Capabilities> {
  return runAction(client, async () => (await loadCalls()).readCapabilities(client, input, signal))
}
