import { WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { buildApprovedNamespaces, getSdkError } from '@walletconnect/utils'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const chains = ['eip155:1', 'eip155:137']

/**
 * A wallet on another device: WalletConnect's own wallet kit with real keys, controlled by the test.
 *
 * @param {string} relayUrl
 */
export async function createRemoteWallet(relayUrl) {
  const keys = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
  const core = new Core({
    projectId: '0123456789abcdef0123456789abcdef',
    relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
  })
  const url = 'http://localhost'
  const kit = await WalletKit.init({ core, metadata: { name: 'Remote', description: '', url, icons: [] } })
  const owner = { proposal: 'approve', signature: 'approve' }
  /** @type {string[]} */
  const signed = []
  let selected = 0
  let proposals = 0
  const accountsOf = (/** @type {number} */ first) =>
    chains.flatMap((chain) => [keys[first], keys[1 - first]].map((key) => `${chain}:${key?.address}`))

  kit.on('session_proposal', async ({ id, params }) => {
    proposals += 1
    if (owner.proposal === 'reject') return kit.rejectSession({ id, reason: getSdkError('USER_REJECTED') })
    const supported = {
      chains,
      methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain'],
      events: ['accountsChanged', 'chainChanged'],
      accounts: accountsOf(selected),
    }
    const namespaces = buildApprovedNamespaces({ proposal: params, supportedNamespaces: { eip155: supported } })
    await kit.approveSession({ id, namespaces })
  })

  kit.on('session_request', async ({ id, topic, params: { request } }) => {
    const respond = (/** @type {object} */ answer) =>
      kit.respondSessionRequest({ topic, response: /** @type {any} */ ({ id, jsonrpc: '2.0', ...answer }) })
    if (request.method !== 'personal_sign') return respond({ error: { code: 4200, message: 'Not supported' } })
    if (owner.signature === 'reject') return respond({ error: getSdkError('USER_REJECTED') })
    const [text, address] = request.params
    const key = keys.find((one) => one.address.toLowerCase() === String(address).toLowerCase())
    if (!key) return respond({ error: { code: -32602, message: 'Unknown account' } })
    signed.push(Buffer.from(text.slice(2), 'hex').toString('utf8'))
    await respond({ result: await key.signMessage({ message: { raw: text } }) })
  })

  const topics = () => Object.keys(kit.getActiveSessions())
  return {
    addresses: keys.map((key) => key.address),
    signed: () => signed,
    countSessions: () => topics().length,
    countProposals: () => proposals,
    /** @param {Partial<typeof owner>} wishes */
    decide: (wishes) => Object.assign(owner, wishes),
    /** @param {string} uri */
    pair: (uri) => kit.pair({ uri }),
    /** @param {number} index */
    async selectAccount(index) {
      selected = index
      for (const topic of topics()) {
        const event = { name: 'accountsChanged', data: [keys[index]?.address] }
        await kit.emitSessionEvent({ topic, chainId: 'eip155:1', event })
      }
    },
    /** @param {number} chainId */
    async selectChain(chainId) {
      for (const topic of topics()) {
        await kit.emitSessionEvent({
          topic,
          chainId: `eip155:${chainId}`,
          event: { name: 'chainChanged', data: chainId },
        })
      }
    },
    async leave() {
      for (const topic of topics()) await kit.disconnectSession({ topic, reason: getSdkError('USER_DISCONNECTED') })
    },
  }
}
