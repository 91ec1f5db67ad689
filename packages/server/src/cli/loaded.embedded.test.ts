import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, startProcess } from '../testing/startProcess.ts'

const unused = [
  '@opentelemetry',
  'prom-client',
  'nodemailer',
  'sharp',
  'parse',
  'jiti',
  'tar-stream',
  'csv-parse',
  'bson',
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
  await seedFolder(join(folder, 'data'))
  // Notes every module that is loaded, in the process of the server.
  await writeFile(
    join(folder, 'hooks.mjs'),
    `import { appendFileSync } from 'node:fs'
     export async function resolve(specifier, context, next) {
       const found = await next(specifier, context)
       appendFileSync(${JSON.stringify(join(folder, 'loaded.txt'))}, found.url + '\\n')
       return found
     }`,
  )
  const register = `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(join(folder, 'hooks.mjs')).href)})`
  await writeFile(join(folder, 'register.mjs'), register)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function loadedWith(environment: Record<string, string>): Promise<string[]> {
  const server = await ready(
    await startProcess({
      COUNTERSIGN_DATA: join(folder, 'data'),
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'register.mjs')).href}`,
      ...environment,
    }),
  )
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  const urls = await readFile(join(folder, 'loaded.txt'), 'utf8')
  return [...new Set([...urls.matchAll(/.*node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(([, name = '']) => name))]
}

test('a server without traces, mail, pictures, older code and backups loads nothing of them', async () => {
  const plain = await loadedWith({})
  expect(plain).toContain('fastify')
  for (const name of unused) expect(plain.find((each) => each.startsWith(name)) ?? '').toBe('')
  await rm(join(folder, 'loaded.txt'))
  expect(await loadedWith({ COUNTERSIGN_TRACES_URL: 'http://127.0.0.1:9/v1/traces' })).toContain(
    '@opentelemetry/sdk-trace-base',
  )
}, 120_000)
