import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { root } from '../../steps/root.mjs'
import { shell } from '../followPage.mjs'
import { holdViem } from '../install.mjs'
import { runBeside } from '../runBeside.mjs'
import { addMongodump } from './addMongodump.mjs'

const apps = join(root, 'scripts/strangers/apps')

/**
 * Begins with an application of the unmodified react-moralis and a dump of its database. Somebody from that database
 * signs in with their wallet, reads what is theirs and writes: with the old package, with ours, and with a live hook in
 * the place of a query.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followReactMoralis(page, { folder, env }) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const [url, server] = [`http://localhost:${port}`, `http://localhost:${serverPort}`]
  page.replace('http://localhost:3000', url)
  page.replace('http://localhost:1337', server)
  const [app, home] = [join(folder, 'app'), join(folder, 'server')]
  mkdirSync(home)
  cpSync(join(apps, 'react-moralis'), app, { recursive: true })
  renameSync(join(app, '_gitignore'), join(app, '.gitignore'))
  const inApp = { folder: app, env: { ...env, NEXT_TELEMETRY_DISABLED: '1', PORT: String(port) } }
  const inHome = { folder: home, env: { ...env, PORT: String(serverPort) } }
  holdViem(app)
  await shell('npm install', inApp)
  const { usePage } = await import('../../../e2e/lib/usePage.mjs')

  await usePage({ evm: 'both' }, async (context, { addresses: [address = ''] }) => {
    // moralis-v1 sends requests to others at every start; a host that is not there must not delay it.
    await context.route(/unpkg\.com|moralis\.io/, (route) => route.abort())
    const withMongodump = await addMongodump({ folder, env })
    const database = join(app, 'database.json')
    writeFileSync(database, readFileSync(database, 'utf8').replaceAll('ADDRESS', address.toLowerCase()))
    await shell(`mongodump --uri ${database} --out dump`, { folder: home, env: withMongodump })

    page.write('countersign.config.ts', home)
    assert.match(await page.run('countersign import mongo', inHome), /Score/)
    renameSync(join(app, 'cloud'), join(home, 'cloud'))
    await page.runBeside('npx countersign start', inHome, `${server}/server/health`, async () => {
      const [, provider = ''] = page.take('<MoralisProvider').match(/<MoralisProvider ([^>]+)>/) ?? []
      const entry = join(app, 'pages/_app.tsx')
      const old = readFileSync(entry, 'utf8')
      const pointed = old.replace(/<MoralisProvider\s[^>]+>/, `<MoralisProvider ${provider}>`)
      assert.notEqual(pointed, old)
      writeFileSync(entry, pointed)
      const withApp = async (/** @type {(shown: import('@playwright/test').Page) => Promise<void>} */ use) => {
        await shell('npm run build', inApp)
        await runBeside(['npm', 'start'], { cwd: app, env: inApp.env }, url, async () => {
          const shown = await context.newPage()
          await shown.goto(url)
          await use(shown)
          await shown.close()
        })
      }
      await withApp(async (shown) => {
        await shown.getByRole('button', { name: 'Authenticate' }).click()
        await useScores(shown)
        await shown.getByRole('button', { name: 'Save a score' }).click()
        await shown.reload()
        await shown.getByText('grace: 1906').waitFor()
        await shown.getByText('On average: 1240.6').waitFor()
      })

      await shell(
        'git init --quiet && git add . && git -c user.name=a -c user.email=a@b commit --quiet -m Before',
        inApp,
      )
      await page.run('countersign migrate-react', inApp)
      const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
      assert.deepEqual(Object.keys(dependencies).sort(), ['@countersign/moralis', 'next', 'react', 'react-dom'])
      await withApp(async (shown) => {
        await shown.getByRole('button', { name: 'Authenticate' }).click()
        await useScores(shown)
        await shown.getByText('grace: 1906').waitFor()
      })

      await page.run('npm install @countersign/react', inApp)
      page.write('components/Scores.tsx', app)
      await withApp(async (shown) => {
        await useScores(shown)
        await shown.getByRole('button', { name: 'Save a score' }).click()
        await shown.getByText('grace: 1906').nth(1).waitFor()
      })
    })
  })
  page.end()
}

/**
 * The account of the dump is open, with what its owner may read and nothing else.
 *
 * @param {import('@playwright/test').Page} shown
 */
async function useScores(shown) {
  await shown.getByRole('heading', { name: 'Welcome grace', exact: true }).waitFor()
  await shown.getByText('grace: 1815').waitFor()
  assert.equal(await shown.getByText('hidden').count(), 0)
}
