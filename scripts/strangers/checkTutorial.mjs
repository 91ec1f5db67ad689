import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { develop } from './checkCreate.mjs'
import { createEnvironment, findSample, listSamples, shell } from './followPage.mjs'
import { measure, npm } from './install.mjs'

const page = 'docs/tutorial-dapp.md'

/**
 * Walks through "A dapp in 15 minutes" from its first command to its last file, with the Vite template that it begins
 * with: created, built, tested, used; then changed as the page says and used again.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkTutorial(stranger) {
  process.env.CHROMIUM_PATH = await ensureChromium()
  const { sayHello, useMessages } = await import('../../e2e/lib/useMessages.mjs')
  const env = await createEnvironment(stranger, stranger.folder)
  const commands = findSample(page, 'npm create countersign')
  const [before = '', rest] = commands.split('npm run dev')
  assert.ok(rest !== undefined, 'The first step ends with npm run dev.')
  await shell(before, { folder: stranger.folder, env })
  const app = join(stranger.folder, 'my-app')
  const inside = { ...stranger, folder: app, env }
  measure(app)

  // 1: as it was created. The files that the page shows are those of the template.
  await npm(inside, ['run', 'build'])
  await npm(inside, ['test'])
  await develop(inside, (url) => useMessages(app, url))
  const shown = listSamples(page).flatMap(({ code }) => {
    const [, file = '', content = ''] = code.match(/^\/\/ (\S+\.ts)\n([\s\S]+)$/) ?? []
    return file ? [{ file, content }] : []
  })
  assert.deepEqual(
    shown.map(({ file }) => file),
    ['countersign.schema.ts', 'cloud/messages.ts'],
  )
  const simple = (/** @type {string} */ code) => code.replace(/\/\*\*.*?\*\/|\/\/.*|\s+/g, '')
  for (const { file, content } of shown)
    assert.equal(simple(readFileSync(join(app, file), 'utf8')), simple(content), `${file} of the page is another one`)

  // 2: a field more.
  const schema = join(app, 'countersign.schema.ts')
  const added = readFileSync(join(schema), 'utf8').replace('fields: {', "fields: {\n      likes: 'Number',")
  writeFileSync(schema, added)
  // 3: the page of the tutorial instead of the template's.
  writeFileSync(join(app, 'components/Messages.tsx'), findSample(page, 'export function Messages'))
  writeFileSync(join(app, 'components/App.tsx'), "export { Messages as App } from './Messages.tsx'\n")
  // 5: a test of one's own, against the server that runs.
  const test = findSample(page, 'createTestWallet')
  await develop(inside, async (url) => {
    assert.match(readFileSync(join(app, 'countersign.d.ts'), 'utf8'), /likes\?: number/)
    await npm(inside, ['exec', 'tsc'])
    await sayHello(app, url)
    writeFileSync(join(app, 'test/own.test.ts'), test.replaceAll('http://localhost:1337', url))
    await npm({ folder: app, env }, ['exec', '--', 'vitest', 'run', 'test/own.test.ts', '--testTimeout=60000'])
  })
}
