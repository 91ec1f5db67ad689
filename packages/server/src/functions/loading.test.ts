import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'

let cloud: string
let database: TestDatabase
let server: TestServer | undefined
beforeAll(async () => {
  cloud = await mkdtemp(join(tmpdir(), 'cs-cloud-'))
  database = await openTestDatabase()
})
afterAll(async () => {
  await server?.stop()
  await database.close()
  await rm(cloud, { recursive: true, force: true })
})

const header = `import { defineFunction, defineHook } from 'countersign'\n`
const write = (name: string, text: string) => writeFile(join(cloud, name), `${header}${text}`)

describe('a file that cannot be loaded keeps the server from starting, and is named with its line', () => {
  const mistakes: [text: string, message: RegExp][] = [
    ['export const a = 1\n\nconst b: number = ;', /broken\.ts .*\(line 4\): Unexpected token/],
    ['export const a = 1\nmissing.thing()', /broken\.ts .*\(line 3\): missing is not defined/],
    ['throw "only a text"', /broken\.ts .*only a text/],
    ['import x from "./nowhere.ts"\nconsole.log(x)', /broken\.ts .*nowhere\.ts/],
    [
      'export const twice = defineFunction({ handle: () => 1 })\nexport const other = defineFunction({ name: "twice", handle: () => 1 })',
      /two functions are called twice/,
    ],
    [
      'import { defineTask } from "countersign"\nexport const a = defineTask({ handle: () => 1 })',
      /countersign does not export defineTask\. It exports CountersignError, /,
    ],
    ['export const a = defineFunction({ name: "a/b", handle: () => 1 })', /a\/b is not a valid name/],
    ['export const a = defineFunction({ timeout: 5, handle: () => 1 })', /has no option "timeout"/],
    ['export const a = defineHook({ on: "beforeSave", handle: () => 1 })', /beforeSave needs a className/],
  ]
  test.each(mistakes)('%j', async (text, message) => {
    await write('broken.ts', text)
    const error = await createTestServer({ cloud }, database).catch((reason: Error) => reason)
    await rm(join(cloud, 'broken.ts'))
    expect(error).toMatchObject({ name: 'CloudError', message: expect.stringMatching(message) })
    expect((error as Error).message).toContain(join(cloud, 'broken.ts'))
  })
})

test('a change is loaded again in development; with a mistake the last working version continues', async () => {
  await write(
    'live.ts',
    `import { n } from './_part.ts'\nexport const version = defineFunction({ handle: () => n })
    export const apart = defineFunction({ isolate: true, handle: () => n })
    export const shout = defineHook({ on: 'beforeSave', className: 'Shouted', handle: ({ object }) => ({ text: object.text + '!' }) })`,
  )
  await writeFile(join(cloud, '_part.ts'), 'export const n: number = 1')
  // The process of an isolated function starts slowly on a busy machine.
  const live = await createTestServer({ cloud, functions: { timeoutMs: 60_000 } }, database)
  server = live
  const run = async (name: string) => {
    const { body } = await live.call('POST', `/functions/${name}`, {})
    return body.result ?? body.code
  }
  const shouted = async () => {
    const { body } = await live.call('POST', '/classes/Shouted', { text: 'a' })
    return (await live.call('GET', `/classes/Shouted/${body.objectId}`)).body.text
  }
  expect([await run('version'), await run('apart'), await shouted()]).toEqual([1, 1, 'a!'])

  await writeFile(join(cloud, '_part.ts'), 'export const n: number = 2')
  await expect.poll(() => run('version'), { timeout: 60_000 }).toBe(2)
  expect([await run('apart'), await shouted()]).toEqual([2, 'a!'])

  await write('live.ts', 'export const version = defineFunction({')
  await expect.poll(() => live.logs.join(''), { timeout: 60_000 }).toMatch(/last working version.*|live\.ts .*line/)
  expect(live.logs.find((line) => line.includes('last working version'))).toMatch(/live\.ts cannot be loaded \(line/)
  expect([await run('version'), await shouted()]).toEqual([2, 'a!'])

  await write('live.ts', 'export const renamed = defineFunction({ handle: () => 3 })')
  await expect.poll(() => run('renamed'), { timeout: 60_000 }).toBe(3)
  expect([await run('version'), await shouted()]).toEqual([141, 'a'])
})

test('in production nothing is watched, and a path may name a single file', async () => {
  await write('single.ts', 'export const single = defineFunction({ handle: () => 1 })')
  const settings = { cloud: join(cloud, 'single.ts'), production: true }
  const one = await createTestServer(settings, database)
  try {
    expect((await one.call('POST', '/functions/single', {})).body.result).toBe(1)
    expect((await one.call('POST', '/functions/renamed', {})).body.code).toBe(141)
    await write('single.ts', 'export const single = defineFunction({ handle: () => 2 })')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await one.call('POST', '/functions/single', {})).body.result).toBe(1)
  } finally {
    await one.stop()
  }
})
