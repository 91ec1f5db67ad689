// node bench/import/fromParseServer.mjs
// Fills a real parse-server on PostgreSQL over its API with users, a role, access lists, a relation and a file, imports it
// with `countersign import server`, starts the built server on the result, and compares. Needs `npm run build`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../scripts/postgres.mjs'
import { installDependencies } from '../../scripts/steps/installDependencies.mjs'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { createDatabases } from '../process/createDatabases.mjs'

if (!process.argv.includes('--installed')) await installDependencies(join(root, 'bench'))
const folder = await mkdtemp(join(tmpdir(), 'countersign-from-parse-'))
const postgres = await startPostgres()
const children = []
const main = join(root, 'packages/server/bin/countersign.js')
const masterKey = 'a master key for this run alone'

function start(args, env) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  return child
}

async function untilReady(url) {
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((done) => setTimeout(done, 200))) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
  }
  throw new Error(`${url} did not answer`)
}

const caller =
  (url, appId) =>
  async (method, path, body, more = {}) => {
    const isText = typeof body === 'string'
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'X-Parse-Application-Id': appId, 'Content-Type': isText ? 'text/plain' : 'application/json', ...more },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    return answer.json()
  }

try {
  const { urls } = await createDatabases(postgres.url, ['parse', 'countersign'])
  const [port, ownPort] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${port}/parse`
  start([fileURLToPath(new URL('parseServer.mjs', import.meta.url))], {
    PORT: String(port),
    DATABASE_URL: urls.get('parse'),
    APPLICATION_ID: 'old',
    MASTER_KEY: masterKey,
    FILES: join(folder, 'old-files'),
  })
  await untilReady(`${url}/health`)
  const old = caller(url, 'old')
  const master = { 'X-Parse-Master-Key': masterKey }
  const ada = await old('POST', '/users', { username: 'ada', password: 'old password', email: 'ada@example.org' })
  const bob = await old('POST', '/users', { username: 'bob', password: 'x' })
  const pointer = (objectId) => ({ __type: 'Pointer', className: '_User', objectId })
  await old(
    'POST',
    '/roles',
    { name: 'editors', ACL: { '*': { read: true } }, users: { __op: 'AddRelation', objects: [pointer(ada.objectId)] } },
    master,
  )
  const file = await old('POST', '/files/hello.txt', 'hello from the old server', master)
  await old(
    'POST',
    '/schemas/Game',
    {
      className: 'Game',
      fields: { n: { type: 'Number' } },
      classLevelPermissions: {
        find: { requiresAuthentication: true },
        get: { '*': true },
        create: {},
        update: {},
        delete: {},
        count: {},
        addField: {},
      },
    },
    master,
  )
  for (let n = 0; n < 1_500; n += 50) {
    const requests = Array.from({ length: 50 }, (_, index) => ({
      method: 'POST',
      path: '/parse/classes/Game',
      body: { n: n + index, owner: pointer(ada.objectId) },
    }))
    await old('POST', '/batch', { requests }, master)
  }
  const secret = await old(
    'POST',
    '/classes/Game',
    {
      n: -1,
      place: { __type: 'GeoPoint', latitude: 1, longitude: 2 },
      file: { __type: 'File', name: file.name },
      owner: pointer(ada.objectId),
      ACL: { [ada.objectId]: { read: true }, 'role:editors': { read: true, write: true } },
      fans: { __op: 'AddRelation', objects: [pointer(ada.objectId), pointer(bob.objectId)] },
    },
    master,
  )

  const env = {
    DATABASE_URL: urls.get('countersign'),
    COUNTERSIGN_DATA: join(folder, 'data'),
    COUNTERSIGN_APP_ID: 'new',
    COUNTERSIGN_MASTER_KEY: masterKey,
  }
  const [code] = await once(
    start([main, 'import', 'server', '--url', url, '--app-id', 'old', '--master-key', masterKey], env),
    'exit',
  )
  assert.equal(code, 0)
  start([main, 'start'], { ...env, PORT: String(ownPort), COUNTERSIGN_LOG_LEVEL: 'warn' })
  await untilReady(`http://127.0.0.1:${ownPort}/ready`)
  const ours = caller(`http://127.0.0.1:${ownPort}/server`, 'new')
  const path = `/classes/Game/${secret.objectId}`
  const [before, after] = [await old('GET', path, undefined, master), await ours('GET', path, undefined, master)]
  const { file: oldFile, ...rest } = before
  const { file: newFile, ...same } = after
  assert.deepEqual(same, rest)
  assert.equal(newFile.name, oldFile.name)
  assert.equal(await (await fetch(newFile.url)).text(), 'hello from the old server')
  // Without a condition parse-server only estimates.
  const query = `/classes/Game?limit=0&count=1&where=${encodeURIComponent('{"n":{"$gte":-1}}')}`
  assert.equal((await ours('GET', query, undefined, master)).count, 1_501)
  assert.equal((await old('GET', query, undefined, master)).count, 1_501)
  const fans = `/users?where=${encodeURIComponent(JSON.stringify({ $relatedTo: { object: { __type: 'Pointer', className: 'Game', objectId: secret.objectId }, key: 'fans' } }))}`
  assert.equal((await ours('GET', fans, undefined, master)).results.length, 2)
  // The session of the older server, its access list and its role still hold.
  const session = { 'X-Parse-Session-Token': ada.sessionToken }
  assert.equal((await ours('GET', '/users/me', undefined, session)).objectId, ada.objectId)
  assert.equal((await ours('GET', path, undefined, session)).n, -1)
  assert.equal((await ours('GET', path)).code, 101)
  assert.equal((await ours('GET', '/classes/Game')).results, undefined)
  assert.equal((await ours('GET', '/roles', undefined, session)).results[0].name, 'editors')
  process.stdout.write('All that the older server had is here.\n')
} finally {
  for (const child of children) child.kill('SIGTERM')
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
