import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'

let database: TestDatabase
let folder: string
const servers: TestServer[] = []
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  await rm(folder, { recursive: true })
})

async function start(files: { [name: string]: string }): Promise<TestServer> {
  await mkdir(join(folder, 'deep'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const server = await createTestServer({ cloud: folder, functions: { timeout: 500, concurrency: 2 } }, database)
  servers.push(server)
  return server
}

const run = async (server: TestServer, name: string, params: object = {}) =>
  (await server.call('POST', `/functions/${name}`, params)).body

test('files in every form: required, imported, TypeScript, JSON, a function that is exported', async () => {
  const server = await start({
    'main.js': `
      const own = require('parse/node')
      const { shout } = require('./deep/part')
      module.exports = async (Parse) => {
        Parse.Cloud.define('same', () => own === Parse && Parse === Moralis && require('moralis/node') === Parse)
        Parse.Cloud.define('shout', ({ params }) => shout(params.text) + require('./deep/marks.json').mark)
        require('./deep/typed.ts')
      }`,
    'deep/part.js': `exports.shout = (text) => text.toUpperCase()`,
    'deep/marks.json': `{ "mark": "!" }`,
    'deep/typed.ts': `
      import { shout } from './part.js'
      declare const Moralis: { Cloud: { define(name: string, run: (request: { params: { text: string } }) => string): void } }
      Moralis.Cloud.define('typed', ({ params }) => shout(params.text as string))`,
    // Not required by the main file, so not code of the application.
    'left.js': `Parse.Cloud.define('left', () => 1)`,
    'ours.ts': `
      import { defineFunction } from 'countersign'
      export const ours = defineFunction({ handle: () => 'ours' })`,
  })
  expect(await run(server, 'same')).toEqual({ result: true })
  expect(await run(server, 'shout', { text: 'a' })).toEqual({ result: 'A!' })
  expect(await run(server, 'typed', { text: 'b' })).toEqual({ result: 'B' })
  expect(await run(server, 'ours')).toEqual({ result: 'ours' })
  expect((await run(server, 'left')).code).toBe(141)
})

test('two servers in one process keep their code and their clients apart', async () => {
  const text = (word: string) => `Parse.Cloud.define('word', () => '${word} ' + Parse.applicationId)`
  const first = await start({ 'one.js': text('first') })
  const elsewhere = folder
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  const second = await start({ 'one.js': text('second') })
  expect(await run(first, 'word')).toEqual({ result: `first ${first.appId}` })
  expect(await run(second, 'word')).toEqual({ result: `second ${second.appId}` })
  await rm(elsewhere, { recursive: true })
})

test('a file that cannot be loaded is named with its line; so is a hook that would never be called', async () => {
  await expect(start({ 'main.js': `const a = 1\nParse.Cloud.define('a')\n` })).rejects.toMatchObject({
    name: 'CloudError',
    message: expect.stringMatching(/main\.js.*needs a function that is to be called/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeSave('A', () => {})\nmissing.thing()` })).rejects.toMatchObject({
    message: expect.stringMatching(/main\.js.*\(line 2\).*missing is not defined/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeSave(Parse.File, () => {})` })).rejects.toMatchObject({
    message: expect.stringMatching(/offered for classes, and not for File/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeSave('_Session', () => {})` })).rejects.toMatchObject({
    message: expect.stringMatching(/Only the afterLogout trigger/),
  })
})

test('P13: a hook that hangs is ended, holds nobody else up, and writes nothing afterwards', async () => {
  const server = await start({
    'main.js': `
      Parse.Cloud.beforeSave('Hang', async () => {
        await new Parse.Object('Trace', { at: 'before' }).save(null, { useMasterKey: true })
        await new Promise((resolve) => setTimeout(resolve, 900))
        await new Parse.Object('Trace', { at: 'after' }).save(null, { useMasterKey: true })
      })
      Parse.Cloud.define('hang', () => new Promise(() => {}))`,
  })
  const hanging = server.call('POST', '/classes/Hang', {})
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await server.call('POST', '/classes/Free', {})).status).toBe(201)
  expect((await hanging).body).toMatchObject({ code: 124 })
  expect(await run(server, 'hang')).toMatchObject({ code: 124 })
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect((await server.call('GET', '/classes/Trace')).body.results).toEqual([])
  expect((await server.call('GET', '/classes/Hang')).body.results).toEqual([])
})

test('P13: functions that call functions do not wait for each other where all places are taken', async () => {
  const server = await start({
    'main.js': `
      Parse.Cloud.define('inner', () => 'done')
      Parse.Cloud.define('outer', async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        return Parse.Cloud.run('inner')
      })`,
  })
  const answers = await Promise.all([run(server, 'outer'), run(server, 'outer'), run(server, 'outer')])
  expect(answers).toEqual([{ result: 'done' }, { result: 'done' }, { result: 'done' }])
})

test('a save that a hook does not wait for belongs to its write, or stands by itself', async () => {
  const server = await start({
    'main.js': `
      const save = (at) => new Parse.Object('Loose', { at }).save(null, { useMasterKey: true })
      Parse.Cloud.beforeSave('Careless', (request) => {
        save('within').catch(() => {})
        setTimeout(() => save('later').catch(() => {}), 50)
      })`,
  })
  expect((await server.call('POST', '/classes/Careless', {})).status).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 400))
  const { results } = (await server.call('GET', '/classes/Loose?order=createdAt')).body
  expect((results as { at: string }[]).map(({ at }) => at).sort()).toEqual(['later', 'within'])
})
