import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createOwner } from './createOwner.mjs'
import { linkWallet } from './linkWallet.mjs'
import { password } from './password.mjs'

/** People on the demo chain: their keys follow from their names. */
const keyOf = (/** @type {string} */ name) => keccak256(toHex(`Countersign demo: ${name}`))

export const adaKey = keyOf('ada')
export const ada = privateKeyToAccount(adaKey)
export const bruno = privateKeyToAccount(keyOf('bruno'))

const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

/**
 * As `createOwner`, with two wallets of the demo's chain, one of which opened a session on another device.
 *
 * @param {ReturnType<typeof import('../createApi.mjs').createApi>} api
 * @param {string} username
 */
export async function createHolder(api, username) {
  await createOwner(api, username)
  const { sessionToken: token } = await api.logIn({ username, password })
  await linkWallet(api, ada, { token, label: 'Everyday' })
  await linkWallet(api, bruno, { token, label: 'Savings' })
  await linkWallet(api, ada, { userAgent: phone })
  await api.call('POST', '/logout', {}, { token })
  return username
}
