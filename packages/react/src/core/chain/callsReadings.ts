import type { Client } from '../client/Client.ts'
import { defineReading } from '../readings/defineReading.ts'
import type { CallsStatus, Capabilities } from './CallsInput.ts'
import { chainChanged } from './chainChanged.ts'
import { getCallsStatus, getCapabilities } from './sendCalls.ts'

/** The wallet in use, which alone knows its calls and abilities. */
function walletOf({ internal }: Client): string | undefined {
  const wallet = internal.wallet.get()
  return wallet.status === 'connected' ? [wallet.connector.id, wallet.account].join() : undefined
}

export const callsReading = /*#__PURE__*/ defineReading<string | undefined, CallsStatus>(
  (id) => ({ calls: id ?? null }),
  (id = '', client) => ({
    async read(client, options) {
      const found = await getCallsStatus(client, { id }, options)
      // Results of contracts and chain data may change with that block.
      if (found.status !== 'pending') chainChanged(client)
      return found
    },
    owner: walletOf,
    whyNot: () => undefined,
    sources: [client.wallet],
  }),
)

export const capabilitiesReading = /*#__PURE__*/ defineReading<undefined, Capabilities>(
  () => ({ capabilities: null }),
  (_, client) => ({
    read: (client, options) => getCapabilities(client, {}, options),
    owner: walletOf,
    whyNot: () => undefined,
    sources: [client.wallet],
  }),
)
