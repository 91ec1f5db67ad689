import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { shell } from '../followPage.mjs'
import { measure } from '../install.mjs'
import { runBeside } from '../runBeside.mjs'
import { createViteApp } from './createViteApp.mjs'

/**
 * Both ways of the page: the application that `npm create` makes, used in a browser; and a server for an application
 * that was there before, one of `npm create vite`, with an account, the page, the proxy and the script without React,
 * whose score appears in the page.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followQuickStart(page, { folder, env }) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const [url, server] = [`http://localhost:${port}`, `http://localhost:${serverPort}`]
  page.replace('http://localhost:5173', url)
  page.replace('http://localhost:1337', server)
  const own = { ...env, PORT: String(port), SERVER_PORT: String(serverPort) }
  await createApplication(page, { folder, env: own }, url)

  const home = join(folder, 'server')
  mkdirSync(home)
  const inside = { folder: home, env: { ...env, PORT: String(serverPort) } }
  const { createAccount } = await import('../../../e2e/lib/useMessages.mjs')
  const name = page.read(/username: '(.+?)'/)
  const password = page.read(/password: '(.+?)'/)
  const said = await page.runBeside('npx countersign start', inside, `${server}/server/health`, () =>
    createAccount(server, 'Create your account', name, password),
  )
  assert.match(said, /App id +my-app/)

  const app = await createViteApp({ folder, env })
  await page.run('npm install @countersign/react', { folder: app, env })
  measure(app)
  page.write('src/Page.tsx', app)
  page.write('vite.config.ts', app)
  writeFileSync(join(app, 'src/App.tsx'), "export { Page as default } from './Page.tsx'\n")
  await shell('npm run build', { folder: app, env })
  await page.runBeside('npx countersign start', inside, `${server}/server/health`, async () => {
    const develop = ['npm', 'run', 'dev', '--', '--port', String(port), '--strictPort']
    await runBeside(develop, { cwd: app, env }, `${url}/server/health`, async () => {
      const { usePage } = await import('../../../e2e/lib/usePage.mjs')
      await usePage({}, async (context) => {
        const shown = await context.newPage()
        await shown.goto(url)
        await shown.getByRole('button', { name: 'Sign in', exact: true }).click()
        await shown.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
        await shown.getByRole('list').waitFor({ state: 'attached' })
        page.write('score.mjs', app)
        await page.run('node score.mjs', { folder: app, env })
        await shown.getByText('ada: 1815', { exact: true }).waitFor()
        assert.ok(
          (await context.cookies(url)).some(({ httpOnly }) => httpOnly),
          'The session is not in a cookie.',
        )
      })
    })
  })
  page.end()
}

/**
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 * @param {string} url
 */
async function createApplication(page, { folder, env }, url) {
  const commands = page.take('npm create countersign')
  const [before = '', after] = commands.split('npm run dev')
  assert.equal(after, '\n', 'The first sample ends with npm run dev.')
  await shell(before, { folder, env })
  const app = join(folder, page.read(/^cd (\S+)$/m))
  measure(app)
  const { useMessages } = await import('../../../e2e/lib/useMessages.mjs')
  await runBeside(['npm', 'run', 'dev'], { cwd: app, env }, `${url}/server/health`, () => useMessages(url))
}
