import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'

/** Installed for the package of the older names. */
const ethers = join(fileURLToPath(new URL('../../../../../node_modules', import.meta.url)), 'ethers')
const master = { master: true }
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
  const server = await createTestServer({ cloud: folder, functions: { timeoutMs: 500, concurrency: 2 } }, database)
  servers.push(server)
  return server
}

const run = async (server: TestServer, name: string, params: object = {}) =>
  (await server.call('POST', `/functions/${name}`, params)).body

test('a file that takes Cloud out of the client is written for it', async () => {
  const server = await start({ 'hello.js': `const { Cloud } = Parse; Cloud.define('hello', () => 'Hello')` })
  expect(await run(server, 'hello')).toEqual({ result: 'Hello' })
})

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

test('rejects missing features of the older service with file and line', async () => {
  const text = `// Moralis.web3ByChain('0x1')\nParse.Cloud.define('a', () => {\n  return Moralis.web3ByChain('0x1')\n})\n`
  await expect(start({ 'main.js': `require('./deep/part')`, 'deep/part.js': text })).rejects.toMatchObject({
    name: 'CloudError',
    message: expect.stringMatching(/deep\/part\.js:3: Moralis\.web3ByChain is not supported: install web3/),
  })
})

test('handlers of the form (request, response) respond by it, or by their return value', async () => {
  const server = await start({
    'main.js': `
      Parse.Cloud.define('late', (request, response) => {
        setTimeout(() => response.success({ sum: request.params.a + 1 }), 5)
      })
      Parse.Cloud.define('refused', (request, response) => void response.error(4711, 'Not like that.'))
      Parse.Cloud.define('plain', (request, response) => void response.error('Just so.'))
      Parse.Cloud.define('returned', async (request, response) => 'by promise')
      Parse.Cloud.define('thrown', (request, response) => { throw new Parse.Error(4712, 'Thrown.') })
      Parse.Cloud.beforeSave('Old', (request, response) => {
        if (request.object.get('bad')) return void response.error('Bad.')
        request.object.set('checked', true)
        response.success()
      })`,
  })
  expect(await run(server, 'late', { a: 1 })).toEqual({ result: { sum: 2 } })
  expect(await run(server, 'refused')).toMatchObject({ code: 4711, error: 'Not like that.' })
  expect(await run(server, 'plain')).toMatchObject({ code: 141, error: 'Just so.' })
  expect(await run(server, 'returned')).toEqual({ result: 'by promise' })
  expect(await run(server, 'thrown')).toMatchObject({ code: 4712 })
  expect((await server.call('POST', '/classes/Old', {})).body).toMatchObject({ checked: true })
  expect((await server.call('POST', '/classes/Old', { bad: true })).body).toMatchObject({ code: 141, error: 'Bad.' })
})

test('hooks of files and settings see them, reject them, and run after them', async () => {
  const server = await start({
    'main.js': `
      const seen = []
      const note = (what) => (request) => void seen.push([what, request.file._name, request.fileSize ?? null, request.master])
      Parse.Cloud.beforeSave(Parse.File, async (request) => {
        const text = Buffer.from(await request.file.getData(), 'base64').toString()
        if (text.includes('virus')) throw 'Not this file.'
        request.file.addMetadata('length', text.length)
        request.file.addTag('checked', 'yes')
        return request.file
      })
      Parse.Cloud.afterSave(Parse.File, note('afterSave'))
      Parse.Cloud.beforeDelete(Parse.File, (request) => {
        if (request.file._name.includes('keep')) throw 'It stays.'
      })
      Parse.Cloud.afterDelete(Parse.File, note('afterDelete'))
      Parse.Cloud.beforeSave(Parse.Config, (request) => {
        if (request.object.get('limit') > 10) throw 'Too much.'
        seen.push(['config', request.original.get('limit') ?? null, request.object.get('limit')])
      })
      Parse.Cloud.afterSave(Parse.Config, (request) => void seen.push(['saved', request.object.get('limit')]))
      Parse.Cloud.define('seen', () => seen)`,
  })
  const { appId, masterKey } = server.context.keys
  const headers = {
    'X-Parse-Application-Id': appId,
    'X-Parse-Master-Key': masterKey,
    'Content-Type': 'text/plain',
  }
  const upload = async (name: string, body: string) =>
    (await fetch(`${server.serverUrl}/files/${name}`, { method: 'POST', headers, body })).json()
  expect(await upload('a.txt', 'a virus')).toMatchObject({ error: 'Not this file.' })
  const { name } = (await upload('a.txt', 'hello')) as { name: string }
  const kept = (await upload('keep.txt', 'hello')) as { name: string }
  const rows = await server.context.db.query(sql`select metadata, tags from countersign.files where name = ${name}`)
  expect(rows).toEqual([{ metadata: { length: 5 }, tags: { checked: 'yes' } }])
  expect(await server.context.db.query(sql`select from countersign.files where name like '%\_a.txt'`)).toHaveLength(1)
  expect((await server.call('DELETE', `/files/${kept.name}`, undefined, master)).body).toMatchObject({
    error: 'It stays.',
  })
  expect((await server.call('DELETE', `/files/${name}`, undefined, master)).status).toBe(200)
  const save = async (limit: number) => (await server.call('PUT', '/config', { params: { limit } }, master)).body
  expect(await save(3)).toEqual({ result: true })
  expect(await save(11)).toMatchObject({ error: 'Too much.' })
  expect(await save(4)).toEqual({ result: true })
  expect((await server.call('GET', '/config')).body).toEqual({ params: { limit: 4 } })
  expect(await run(server, 'seen')).toEqual({
    result: [
      ['afterSave', name, 5, true],
      ['afterSave', kept.name, 5, true],
      ['afterDelete', name, null, true],
      ['config', null, 3],
      ['saved', 3],
      ['config', 3, 4],
      ['saved', 4],
    ],
  })
})

test('ethersByChain is the installed library over the node of the configuration', async () => {
  const chain = await startChain()
  try {
    await mkdir(join(folder, 'node_modules'))
    await symlink(ethers, join(folder, 'node_modules/ethers'))
    const text = `Moralis.Cloud.define('block', async ({ params }) => (await Moralis.ethersByChain(params.chain).getNetwork()).chainId)`
    await writeFile(join(folder, 'main.js'), text)
    const chains = [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url] }]
    const server = await createTestServer({ cloud: folder, chains }, database)
    servers.push(server)
    expect(await run(server, 'block', { chain: `0x${chain.chainId.toString(16)}` })).toEqual({ result: chain.chainId })
    expect(await run(server, 'block', { chain: '0x999' })).toMatchObject({
      error: expect.stringContaining('No node of chain 0x999'),
    })
  } finally {
    await chain.stop()
  }
})

test('a file that cannot be loaded is named with its line; so is a hook that would never be called', async () => {
  await expect(start({ 'main.js': `const a = 1\nParse.Cloud.define('a')\n` })).rejects.toMatchObject({
    name: 'CloudError',
    message: expect.stringMatching(/main\.js.*needs a function to call/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeSave('A', () => {})\nmissing.thing()` })).rejects.toMatchObject({
    message: expect.stringMatching(/main\.js.*\(line 2\).*missing is not defined/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeFind(Parse.File, () => {})` })).rejects.toMatchObject({
    message: expect.stringMatching(/beforeFind is not supported for File/),
  })
  await rm(join(folder, 'deep'), { recursive: true })
  await expect(start({ 'main.js': `Parse.Cloud.beforeSave('_Session', () => {})` })).rejects.toMatchObject({
    message: expect.stringMatching(/Only the afterLogout trigger/),
  })
})

test('P13: a hook that hangs is ended, delays no other caller, and writes nothing afterwards', async () => {
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

test('an unawaited save of a hook belongs to its write, or runs alone', async () => {
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
