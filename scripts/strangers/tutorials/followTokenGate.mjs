import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { root } from '../../steps/root.mjs'
import { openPage, shell } from '../followPage.mjs'
import { runBeside } from '../runBeside.mjs'
import { createViteApp } from './createViteApp.mjs'

/**
 * Twice, as the page offers it. First with a node of one's own, a local chain: the page in a browser shows the posts
 * while somebody holds the token. Then with the chain of the demo and the commands of "Try it", where ada and the demo
 * wallet hold it.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followTokenGate(page, { folder, env }) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const [url, server] = [`http://localhost:${port}`, `http://localhost:${serverPort}`]
  page.replace('http://localhost:5173', url)
  page.replace('http://localhost:1337', server)
  const { startChain } = await import('../../../e2e/lib/servers/startChain.mjs')
  const chain = await startChain()
  const home = join(folder, 'server')
  mkdirSync(home)
  const inHome = { folder: home, env: { ...env, PORT: String(serverPort) } }
  page.replace(
    "id: 137, rpcUrls: ['https://polygon.example/rpc']",
    `id: ${chain.chainId}, name: 'polygon', rpcUrls: ['${chain.url}']`,
  )
  page.write('countersign.config.ts', home)
  const start = page.take('npx countersign start')
  const demo = page.take('export COUNTERSIGN_CONFIG')
  const keys = page.take('countersign keys')
  const gates = page.take('/tokenGates')
  page.write('countersign.schema.ts', home)
  const schema = page.take('countersign schema apply')

  try {
    const app = await createViteApp({ folder, env })
    await shell('npm install @countersign/react', { folder: app, env })
    const quickStart = openPage('docs/quick-start.md', () => undefined)
    quickStart.replace('http://localhost:1337', server)
    quickStart.write('vite.config.ts', app)
    page.write('src/App.tsx', app)
    await shell('npm run build', { folder: app, env })
    const token = await chain.deploy('Pictures', ['Pictures', 'PIC'])
    await runBeside(['bash', '-c', start], { cwd: home, env: inHome.env }, `${server}/server/health`, async () => {
      const said = await shell(`${keys}${fill(gates, '0x…', token)}`, inHome)
      assert.match(said, /"members":0/)
      await shell(schema, inHome)
      const post = `${keys}curl -s ${server}/server/classes/Post -H "X-Parse-Application-Id: $APP_ID" \\
        -H "X-Parse-Master-Key: $MASTER_KEY" \\
        -d '{"title":"Welcome","text":"For holders.","author":{"__type":"Pointer","className":"_User","objectId":"ada"}}'`
      assert.match(await shell(post, inHome), /"objectId"/)
      const develop = ['npm', 'run', 'dev', '--', '--port', String(port), '--strictPort']
      await runBeside(develop, { cwd: app, env }, `${url}/server/health`, () => visit(url, chain, token))
    })
  } finally {
    await chain.stop()
  }
  await tryDemo(page, { folder, env: inHome.env }, server, { demo, keys, gates, schema })
  page.end()
}

/**
 * Somebody who holds nothing, is given a picture, and gives it away.
 *
 * @param {string} url
 * @param {Awaited<ReturnType<typeof import('../../../e2e/lib/servers/startChain.mjs').startChain>>} chain
 * @param {string} token
 */
async function visit(url, chain, token) {
  const { usePage } = await import('../../../e2e/lib/usePage.mjs')
  await usePage({}, async (context, wallet) => {
    const shown = await context.newPage()
    await shown.goto(url)
    await shown.getByRole('button', { name: 'Sign in', exact: true }).click()
    await shown.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
    const refusal = shown.getByText('Link a wallet that holds the token.')
    await refusal.waitFor()
    const [address = ''] = wallet.addresses
    await chain.call('Pictures', token, 'mint', [address, 1n, 'data:,'])
    const post = shown.getByRole('heading', { name: 'Welcome' })
    await reloadUntil(shown, post)
    const other = '0x000000000000000000000000000000000000dEaD'
    await chain.call('Pictures', token, 'transferFrom', [address, other, 1n], address)
    await reloadUntil(shown, refusal)
  })
}

/**
 * The role comes and goes with the blocks; the page asks when it is loaded.
 *
 * @param {import('@playwright/test').Page} shown
 * @param {import('@playwright/test').Locator} wanted
 */
async function reloadUntil(shown, wanted) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const isThere = await wanted.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
    assert.ok(Date.now() < deadline, `The page does not show ${wanted}.`)
    await shown.reload()
  }
}

/**
 * The chain of `npm run demo`, with the server of the packages beside it.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 * @param {string} server
 * @param {Record<'demo' | 'keys' | 'gates' | 'schema', string>} commands
 */
async function tryDemo(page, { folder, env }, server, { demo, keys, gates, schema }) {
  const home = join(folder, 'demo')
  const data = join(home, 'data-demo')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(home, 'countersign.schema.ts'), readFileSync(join(folder, 'server/countersign.schema.ts')))
  const child = fork(join(root, 'packages/server/src/testing/demo/main.ts'), [data, '0'], {
    cwd: root,
    execArgv: ['--import', 'jiti/register'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const hear = (/** @type {string} */ is) =>
    new Promise((resolve, reject) => {
      child.on('message', (/** @type {any} */ message) => message.is === is && resolve(message))
      void exited.then(() => reject(new Error('The chain of the demo ended.')))
    })
  try {
    const { config } = /** @type {any} */ (await hear('seeded'))
    writeFileSync(join(data, 'countersign.config.json'), JSON.stringify(config))
    const inHome = { folder: home, env }
    const terminal = (/** @type {string} */ command) => shell(`${demo}${keys}${command}`, inHome)
    await runBeside(
      ['bash', '-c', `${demo}npx countersign start`],
      { cwd: home, env },
      `${server}/server/health`,
      async () => {
        const ready = hear('ready')
        child.send({ url: server })
        const { about } = /** @type {any} */ (await ready)
        const said = await terminal(fill(fill(gates, '0x…', about.picture), '"polygon"', '"demo"'))
        assert.match(said, /"members":1/)
        await terminal(schema)

        const [login = '', variables = ''] = page.take('/server/login').split(/^(?=SESSION=)/m)
        const answer = await terminal(login)
        const { sessionToken, objectId } = JSON.parse(answer.slice(answer.indexOf('{"')))
        const set = fill(fill(variables, 'r:…', sessionToken), 'ADA=…', `ADA=${objectId}`)
        const posted = await terminal(`${set}${page.take('"title":"Welcome"')}`)
        assert.match(posted, /"results":\[\{[^\]]*"title":"Welcome"/)
        assert.match(posted, /"code":119/)

        const list = page.take('/tokenGates')
        assert.match(await terminal(list), /"members":1/)
        const { usePage } = await import('../../../e2e/lib/usePage.mjs')
        const { openSheet } = await import('../../../e2e/lib/steps/openSheet.mjs')
        await usePage({ evm: 'none' }, async (context) => {
          const shown = await context.newPage()
          await shown.goto(server)
          const sheet = await openSheet(shown)
          await sheet.getByRole('button', { name: 'Demo wallet' }).click()
          await shown.locator('h1', { hasText: 'Hello, ' }).waitFor()
          const deadline = Date.now() + 60_000
          while (!/"members":2/.test(await terminal(list)))
            assert.ok(Date.now() < deadline, 'The demo wallet is no member.')
        })
      },
    )
  } finally {
    child.kill()
    await exited
  }
}

/**
 * Fills a gap that the page leaves to the reader.
 *
 * @param {string} command
 * @param {string} gap
 * @param {string} value
 */
function fill(command, gap, value) {
  assert.ok(command.includes(gap), `${gap} is missing in ${command}`)
  return command.replace(gap, value)
}
