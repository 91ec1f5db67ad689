import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { shell } from '../followPage.mjs'
import { measure, npm } from '../install.mjs'
import { operate } from '../operate.mjs'
import { runBeside } from '../runBeside.mjs'
import { waitFor } from '../waitFor.mjs'

/**
 * The Vite template that the page begins with: created, built, tested, used; then changed as the page says and used
 * again.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followDapp(page, { folder, env }) {
  const { sayHello, seeNoDemoWallet, useMessages } = await import('../../../e2e/lib/useMessages.mjs')
  const { followLinks, openPrinted } = await import('../../../e2e/lib/followLinks.mjs')
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  page.replace('http://localhost:3000', `http://localhost:${port}`)
  page.replace('http://localhost:1337', `http://localhost:${serverPort}`)
  const own = { ...env, PORT: String(port), SERVER_PORT: String(serverPort) }
  const commands = page.take('npm create countersign')
  const [before = '', after] = commands.split('npm run dev')
  assert.equal(after, '\n', 'The first step ends with npm run dev.')
  await shell(before, { folder, env })
  const app = join(folder, page.read(/^cd (\S+)$/m))
  measure(app)
  const url = `http://localhost:${port}`
  const develop = (/** @type {(said: () => string) => Promise<void>} */ work) =>
    runBeside(['npm', 'run', 'dev'], { cwd: app, env: own }, `${url}/server/health`, work)

  // As it was created. The files that the page shows are those of the template.
  await npm({ folder: app, env }, ['run', 'build'])
  await npm({ folder: app, env }, ['run', 'lint'])
  await npm({ folder: app, env }, ['test'])
  await develop(async (said) => {
    await useMessages(url)
    await followLinks(said)
  })
  const simple = (/** @type {string} */ code) => code.replace(/\/\*\*.*?\*\/|\/\/.*|\s+/g, '')
  for (const name of ['countersign.schema.ts', 'cloud/messages.ts']) {
    const created = simple(readFileSync(join(app, name), 'utf8'))
    assert.equal(simple(page.write(name, app)), created, `${name} of the page is another one than the template's`)
  }

  await operate(app, env, async (pages, said) => {
    await seeNoDemoWallet(pages)
    await openPrinted(said)
  })

  const schema = join(app, 'countersign.schema.ts')
  const field = page.read(/add `(.+?)` to the fields/)
  page.write('components/App.tsx', app)
  page.write('test/own.test.ts', app)
  await develop(async (said) => {
    // While it runs, as the page says.
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('fields: {', `fields: {\n      ${field},`))
    await waitFor(() => /likes\?: number/.test(readFileSync(join(app, 'countersign.d.ts'), 'utf8')), said)
    await npm({ folder: app, env }, ['exec', 'tsc'])
    await sayHello(url)
    await page.run('npx vitest run', { folder: app, env })
  })
  page.end()
}
