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

/** The files that a server loads until it is ready, and the packages that they belong to. */
async function loadedWith(environment: Record<string, string>): Promise<{ files: string[]; packages: string[] }> {
  const server = await ready(
    await startProcess({
      COUNTERSIGN_DATA: join(folder, 'data'),
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'register.mjs')).href}`,
      ...environment,
    }),
  )
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  const urls = (await readFile(join(folder, 'loaded.txt'), 'utf8')).trim().split('\n')
  const files = [...new Set(urls.filter((url) => url.startsWith('file:')))]
  return { files, packages: files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []) }
}

test('a server without traces, mail, pictures, older code and backups loads nothing of them', async () => {
  const plain = await loadedWith({})
  expect(plain.packages).toContain('@electric-sql/pglite')
  for (const name of unused) expect(plain.packages.find((each) => each.startsWith(name)) ?? '').toBe('')
  // Packages that every start needs are bundled.
  expect(plain.packages).not.toContain('fastify')
  expect(plain.files.length).toBeLessThan(100)
  await rm(join(folder, 'loaded.txt'))
  const traced = await loadedWith({ COUNTERSIGN_TRACES_URL: 'http://127.0.0.1:9/v1/traces' })
  expect(traced.packages).toContain('@opentelemetry/sdk-trace-base')
})
