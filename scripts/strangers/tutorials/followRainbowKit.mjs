import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { root } from '../../steps/root.mjs'
import { shell } from '../followPage.mjs'
import { runBeside } from '../runBeside.mjs'

/**
 * Begins with an application of RainbowKit on Next.js with endpoints of its own, which signs in before and after what the
 * page says: the same window, the session of the server, in the first HTML too; then the account of an import, which
 * the wallet opens.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followRainbowKit(page, { folder, env }) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const [url, server] = [`http://localhost:${port}`, `http://localhost:${serverPort}`]
  page.replace('http://localhost:3000', url)
  page.replace('http://localhost:1337', server)
  const [app, home] = [join(folder, 'app'), join(folder, 'server')]
  mkdirSync(home)
  cpSync(join(root, 'scripts/strangers/apps/rainbowkit'), app, { recursive: true })
  const inApp = { folder: app, env: { ...env, NEXT_TELEMETRY_DISABLED: '1', PORT: String(port) } }
  const inHome = { folder: home, env: { ...env, PORT: String(serverPort) } }
  await shell('npm install', inApp)
  const { usePage } = await import('../../../e2e/lib/usePage.mjs')
  const withApp = (/** @type {string} */ path, /** @type {() => Promise<void>} */ work) =>
    runBeside(['npm', 'start'], { cwd: app, env: inApp.env }, `${url}${path}`, work)

  await shell('npm run build', inApp)
  await withApp('/api/me', () =>
    usePage({}, async (context, { addresses: [address] }) => {
      const shown = await signIn(context, url)
      await shown.getByText(`Hello ${address}`).waitFor()
    }),
  )

  const start = page.take('npx countersign start')
  const withServer = (/** @type {() => Promise<unknown>} */ work) =>
    runBeside(['bash', '-c', start], { cwd: home, env: inHome.env }, `${server}/server/health`, async () => {
      await work()
    })
  await withServer(async () => {
    await page.run('npm install @countersign/react', inApp)
    for (const name of ['next.config.ts', 'app/Root.tsx', 'app/Greeting.tsx', 'app/layout.tsx']) page.write(name, app)
    const paths = page.read(/Then delete (.+?) and what kept the session/).match(/\/api\/\w+/g) ?? []
    assert.equal(paths.length, 3)
    for (const path of paths) rmSync(join(app, 'app', path), { recursive: true })
    for (const kept of ['app/api/me', 'lib/session.ts']) rmSync(join(app, kept), { recursive: true })
    await shell('npm run build', inApp)
    await withApp('/server/health', () =>
      usePage({}, async (context) => {
        const shown = await signIn(context, url)
        const greeting = shown.getByText(/^Hello ./)
        const said = (await greeting.textContent()) ?? ''
        await shown.reload()
        await shown.getByText(said, { exact: true }).waitFor()
        const html = await (await context.request.get(url)).text()
        assert.ok(html.replaceAll('<!-- -->', '').includes(`<p>${said}</p>`), 'The first HTML does not greet.')
        const cookies = await context.cookies(url)
        assert.ok(
          cookies.some(({ httpOnly }) => httpOnly),
          'The session is not in a cookie.',
        )
      }),
    )
  })

  const file = join(home, page.read(/into `(\S+\.json)`/))
  const people = page.take('"results"')
  assert.ok(people.includes('0x…'))
  mkdirSync(dirname(file), { recursive: true })
  await usePage({}, async (context, { addresses: [address = ''] }) => {
    writeFileSync(file, people.replace('0x…', address))
    await page.run('countersign import', inHome)
    const { username } = JSON.parse(people).results[0]
    await withServer(() =>
      withApp('/server/health', async () => {
        const shown = await signIn(context, url)
        await shown.getByText(`Hello ${username}`, { exact: true }).waitFor()
      }),
    )
  })
  page.end()
}

/**
 * In the window of RainbowKit.
 *
 * @param {import('@playwright/test').BrowserContext} context
 * @param {string} url
 */
async function signIn(context, url) {
  const shown = await context.newPage()
  await shown.goto(url)
  await shown.getByText('Nobody is signed in.').waitFor()
  await shown.getByRole('button', { name: 'Connect Wallet' }).click()
  await shown.getByRole('button', { name: 'Test Wallet' }).click()
  await shown.getByRole('button', { name: /sign message/i }).click()
  return shown
}
