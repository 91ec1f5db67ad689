import type { Eip1193Provider } from '../wallet/Eip1193Provider.ts'
import { HelperError } from './HelperError.ts'

type Answer = { readonly result?: unknown; readonly error?: { readonly message?: string } }
type Send = (call: object, callback: (error: unknown, answer?: Answer) => void) => void

/** What can be asked by JSON-RPC: an EIP-1193 provider, or one from before that, with `sendAsync` or `send`. */
export type ProviderLike = Eip1193Provider | { readonly sendAsync: Send } | { readonly send: Send }

/**
 * A provider that an application was given, as EIP-1193 has it.
 *
 * @example
 * const provider = toEip1193Provider(window.ethereum)
 */
export function toEip1193Provider(provider: ProviderLike): Eip1193Provider {
  if (provider === undefined || provider === null) {
    throw new HelperError('missing provider', 'INVALID_ARGUMENT', 'Give an EIP-1193 provider.')
  }
  const given: { request?: unknown; sendAsync?: unknown; send?: unknown } = Object(provider)
  if (typeof given.request === 'function') return provider as Eip1193Provider
  const send = given.sendAsync ?? given.send
  if (typeof send !== 'function') {
    const mend = 'It has no request function (EIP-1193), nor sendAsync or send.'
    throw new HelperError('unsupported provider', 'INVALID_ARGUMENT', mend)
  }
  let count = 0
  return {
    request: ({ method, params = [] }) =>
      new Promise((resolve, reject) => {
        send.call(given, { jsonrpc: '2.0', id: ++count, method, params }, (error: unknown, answer?: Answer) => {
          if (error) reject(error)
          else if (answer?.error) reject(Object.assign(new Error(answer.error.message), answer.error))
          else resolve(answer?.result)
        })
      }),
  }
}
