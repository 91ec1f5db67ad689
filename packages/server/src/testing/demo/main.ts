// The chain of `npm run demo` in a separate process. It notifies the script that started it when the chain is ready,
// and is notified when the server is: then it opens ada's account, welcomes wallets and keeps things moving.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Api, createApi } from './createApi.ts'
import { createConfig } from './createConfig.ts'
import { keepLife } from './keepLife.ts'
import { openAccount } from './openAccount.ts'
import { ada } from './people.ts'
import { startDemoChain } from './startDemoChain.ts'
import { watchWallets } from './watchWallets.ts'

const [folder = '', seconds = '15'] = process.argv.slice(2)
if (!process.send) throw new Error('Start it with: npm run demo')
const tell = (message: object) => process.send?.(message)

// Its parent is gone, in whatever way.
process.on('disconnect', () => process.exit(0))
// Ctrl-C is for the script, which ends the server first: it reads from here until then.
process.on('SIGINT', () => {})

const { node, actor, world } = await startDemoChain(folder)
process.on('message', ({ url }: { url: string }) => {
  serve(url).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
const config = createConfig(node, world)
const { appId = '' } = config
tell({ is: 'seeded', config })

async function serve(url: string): Promise<void> {
  const { masterKey } = JSON.parse(readFileSync(join(folder, 'server/keys.json'), 'utf8'))
  const api = createApi(url, { appId, masterKey })
  await openAccount(api)
  const claim = await findClaimLink(api)
  const { guests } = watchWallets({ node, actor, world, api }, (address) =>
    process.stdout.write(`  The wallet ${address} was given ether, tokens, pictures and a name.\n`),
  )
  if (Number(seconds) > 0) keepLife(actor, world, { seconds: Number(seconds), guests })
  const { name, password, account } = ada
  const [, dollar] = world.tokens
  tell({
    is: 'ready',
    about: {
      node: node.url,
      chainId: world.chainId,
      appId,
      ...(claim && { claim }),
      user: { name, password, address: account.address },
      token: dollar?.address,
      picture: world.collections[0]?.address,
    },
  })
}

/** Link that makes the first person who opens it an administrator, as long as there is none. */
async function findClaimLink(api: Api): Promise<string | undefined> {
  const { results } = await api.ask<{ results: object[] }>('GET', '/console/operators', undefined, { master: true })
  if (results.length > 0) return undefined
  const { url } = await api.ask<{ url: string }>('POST', '/console/operatorLinks', {}, { master: true })
  return url
}
