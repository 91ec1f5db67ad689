import { connectWallet, createClient, disconnectWallet, initialize, signInWithWallet } from '@countersign/react/core'
import { createMagicLinkConnector } from '@countersign/react/magic'
import { addButton } from '../lib/addButton.ts'
import { readQuery } from '../lib/readQuery.ts'
import { showClient } from '../lib/showClient.ts'

const { appId, serverUrl, endpoint } = readQuery()
let email: string | undefined
const connector = createMagicLinkConnector({ apiKey: 'pk_test', endpoint, email: () => email })
const client = createClient({ appId, serverUrl, connectors: [connector], throwOnError: true })

showClient(client)
const field = document.createElement('input')
field.setAttribute('aria-label', 'Email')
field.oninput = () => {
  email = field.value
}
document.body.append(field)
addButton('Connect', () => connectWallet(client, { connector: 'magicLink' }))
addButton('Sign in', () => signInWithWallet(client, { connector: 'magicLink' }))
addButton('Disconnect', () => disconnectWallet(client))
await initialize(client)
