// npm start [-- PLAYER POINTS]: signs in with a wallet whose key lies on this machine, saves a score and shows the best.
import {
  createClient,
  createDocument,
  createEip1193Signer,
  defineQuery,
  findDocuments,
  initialize,
  signInWithWallet,
  signOut,
} from '@countersign/react/core'
import { privateKeyToAccount } from 'viem/accounts'

const { COUNTERSIGN_URL = 'http://localhost:1337', COUNTERSIGN_APP_ID = 'example', WALLET_KEY } = process.env
const [player = 'ada', points = '1815'] = process.argv.slice(2)
if (!/^0x[0-9a-f]{64}$/i.test(WALLET_KEY ?? ''))
  throw new Error('WALLET_KEY must be a private key: 0x and 64 hex digits.')

const account = privateKeyToAccount(WALLET_KEY)
const signer = createEip1193Signer({
  async request({ method, params }) {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method === 'eth_chainId') return '0x1'
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] } })
    throw new Error(`This wallet does not do ${method}.`)
  },
})

const client = createClient({ appId: COUNTERSIGN_APP_ID, serverUrl: `${COUNTERSIGN_URL}/server`, throwOnError: true })
await initialize(client)
const user = await signInWithWallet(client, { signer })
console.log(`Signed in as ${user.username}`)

await createDocument(client, 'Score', { player, points: Number(points) })
const best = await findDocuments(client, defineQuery('Score', { order: ['-points'], limit: 10 }))
for (const score of best) console.log(`${score.points}  ${score.player}`)
await signOut(client)
