import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { root } from '../steps/root.mjs'

const run = promisify(execFile)

const copy = mkdtempSync(join(tmpdir(), 'countersign-recipe-'))

afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Blocks of the recipe by the file that their first line names. */
function readRecipe() {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const recipe = page.slice(page.indexOf('### Endpoint'), page.indexOf('### Hook'))
  return [...recipe.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, file = '', text = '']) => ({ file, text }))
}

test('following the recipe gives a working endpoint, with three files and a command', async () => {
  const kept = ['packages/protocol/src', 'packages/server/src', 'scripts', 'docs', 'vitest.config.ts', 'biome.json']
  for (const path of [
    ...kept,
    'package.json',
    'packages/protocol/package.json',
    'packages/server/package.json',
    '.gitignore',
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  for (const folder of ['node_modules', 'packages/server/node_modules', 'packages/server/dist', 'packages/server/bin'])
    symlinkSync(join(root, folder), join(copy, folder))

  const [contract, ...files] = readRecipe()
  expect([contract, ...files].map((block) => block?.file)).toHaveLength(3)
  const resource = join(copy, contract?.file ?? '')
  const before = readFileSync(resource, 'utf8')
  const end = before.lastIndexOf('} as const satisfies')
  writeFileSync(resource, `${before.slice(0, end)}${contract?.text}${before.slice(end)}`)
  for (const { file, text } of files) appendFileSync(join(copy, file), text)

  // A shorter run leaves tests out; the one that the recipe adds is to run.
  const { VITEST, VITEST_WORKER_ID, VITEST_POOL_ID, VITEST_MODE, COUNTERSIGN_TESTS, ...env } = process.env
  await run(process.execPath, ['scripts/contract.mjs'], { cwd: copy, env })
  expect(readFileSync(join(copy, 'docs/http-api.md'), 'utf8')).toContain('| `getAccountAge` | `GET /auth/age` |')
  expect(readFileSync(join(copy, 'packages/protocol/src/generated/endpointTypes.ts'), 'utf8')).toContain(
    'getAccountAge: { input: Record<never, never>; output: { createdAt: string } }',
  )
  const own = files.map(({ file }) => file).find((file) => file.endsWith('.test.ts')) ?? ''
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'server-embedded', '--maxWorkers=1', own]
  const { stdout, stderr } = await run(process.execPath, args, { cwd: copy, env }).catch((failed) => failed)
  expect(stdout, stderr).toMatch(/1 passed/)
}, 600_000)
