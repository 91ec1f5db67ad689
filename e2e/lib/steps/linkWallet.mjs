/**
 * @typedef {ReturnType<typeof import('../createApi.mjs').createApi>} Api
 * @typedef {import('viem/accounts').PrivateKeyAccount} Wallet
 */

/**
 * A wallet is linked to an account, or opens a session of its own, by a true signature and over the wire.
 *
 * @param {Api} api
 * @param {Wallet} wallet
 * @param {{ token?: string, chainId?: number, label?: string, userAgent?: string }} [options] with the token of a
 *   session the wallet is linked to its account; without one it signs in
 * @returns {Promise<Record<string, any>>}
 */
export async function linkWallet(api, wallet, { label, ...options } = {}) {
  const linked = await showWallet(api, wallet, options)
  if (linked.status >= 400) throw new Error(`The wallet was refused: ${linked.error}`)
  if (label) await api.call('PUT', `/auth/wallets/${linked.objectId}`, { label }, options)
  return linked
}

/**
 * The same, for wallets that may be refused. `wishes` go with the signature.
 *
 * @param {Api} api
 * @param {Wallet} wallet
 * @param {{ token?: string, chainId?: number, userAgent?: string, wishes?: Record<string, unknown> }} [options]
 * @returns {Promise<Record<string, any>>}
 */
export async function showWallet(api, wallet, { token, chainId = 31_337, userAgent, wishes } = {}) {
  // Binds the challenge to the browser that requested it.
  const installation = 'another-device'
  const options = { installation, ...(token && { token }), ...(userAgent && { userAgent }) }
  const asked = { purpose: token ? 'link' : 'signIn', address: wallet.address, chainId }
  const { message } = await api.call('POST', '/auth/challenge', asked, options)
  const proof = { message, signature: await wallet.signMessage({ message }), ...wishes }
  return api.call('POST', token ? '/auth/wallets' : '/auth/signInWithWallet', proof, options)
}
