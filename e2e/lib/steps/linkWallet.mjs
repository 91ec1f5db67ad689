/**
 * A wallet is linked to an account, or opens a session of its own, by a true signature and over the wire.
 *
 * @param {ReturnType<typeof import('../createApi.mjs').createApi>} api
 * @param {import('viem/accounts').PrivateKeyAccount} wallet
 * @param {{ token?: string, chainId?: number, label?: string, userAgent?: string }} [options] with the token of a
 *   session the wallet is linked to its account; without one it signs in
 * @returns {Promise<Record<string, any>>}
 */
export async function linkWallet(api, wallet, { token, chainId = 31_337, label, userAgent } = {}) {
  // Binds the challenge to the browser that requested it.
  const installation = 'another-device'
  const options = { installation, ...(token && { token }), ...(userAgent && { userAgent }) }
  const asked = { purpose: token ? 'link' : 'signIn', address: wallet.address, chainId }
  const { message } = await api.call('POST', '/auth/challenge', asked, options)
  const proof = { message, signature: await wallet.signMessage({ message }) }
  const linked = await api.call('POST', token ? '/auth/wallets' : '/auth/signInWithWallet', proof, options)
  if (linked.status >= 400) throw new Error(`The wallet was refused: ${linked.error}`)
  if (label) await api.call('PUT', `/auth/wallets/${linked.objectId}`, { label }, options)
  return linked
}
