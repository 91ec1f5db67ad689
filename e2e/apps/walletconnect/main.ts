import {
  connectWallet,
  createClient,
  disconnectWallet,
  initialize,
  signInWithWallet,
  signOut,
} from '@countersign/react/core'
import { createWalletConnectConnector } from '@countersign/react/walletconnect'
import { addButton } from '../lib/addButton.ts'
import { readQuery } from '../lib/readQuery.ts'
import { showClient, write } from '../lib/showClient.ts'

const { appId, serverUrl, relayUrl } = readQuery()
const connector = createWalletConnectConnector({
  projectId: '0123456789abcdef0123456789abcdef',
  chains: [1, 137],
  relayUrl,
})
const client = createClient({ appId, serverUrl, connectors: [connector], throwOnError: true })
let attempt = new AbortController()

showClient(client)
addButton('Connect', () => {
  attempt = new AbortController()
  return connectWallet(client, { connector: 'wc' }, { signal: attempt.signal })
})
addButton('Cancel', async () => attempt.abort())
addButton('Sign in', () => signInWithWallet(client, { connector: 'walletconnect' }))
addButton('Sign out', () => signOut(client))
addButton('Disconnect', () => disconnectWallet(client))
addButton('Look', async () => write('found', String((await connector.reconnect({})) !== undefined)))
await initialize(client)
