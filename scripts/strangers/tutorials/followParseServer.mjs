import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../postgres.mjs'
import { ensurePostgres } from '../../steps/programs/ensurePostgres.mjs'
import { findFreePort } from '../../steps/programs/findFreePort.mjs'
import { root } from '../../steps/root.mjs'
import { shell } from '../followPage.mjs'
import { runBeside } from '../runBeside.mjs'
import { addMongodump } from './addMongodump.mjs'

/**
 * Begins with a real parse-server that has people, a role, access lists, permissions of classes and cloud code. After
 * the import the same client, with another address, prints the same: passwords, sessions, rights, data and cloud code
 * are as before. Later writes on the old server come with the second import.
 *
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 */
export async function followParseServer(page, { folder, env }) {
  await ensurePostgres()
  // As `countersign doctor` wants it.
  const postgres = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } })
  try {
    await follow(page, { folder, env }, postgres.url)
  } finally {
    await postgres.stop()
  }
}

/**
 * @param {import('../followPage.mjs').Page} page
 * @param {import('../followPage.mjs').Place} place
 * @param {string} database of PostgreSQL, for the old server; its neighbour is for the new one
 */
async function follow(page, { folder, env }, database) {
  const [oldPort, port] = [await findFreePort(), await findFreePort()]
  const [oldServer, server] = [`http://localhost:${oldPort}/parse`, `http://localhost:${port}/parse`]
  const DATABASE_URL = database.replace(/\/[^/?]*(?=\?|$)/, '/moved')
  page.replace('postgresql://user:password@host:5432/database', DATABASE_URL)
  page.replace('http://localhost:1337', `http://localhost:${port}`)
  const [old, home] = [join(folder, 'old'), join(folder, 'server')]
  mkdirSync(home)
  cpSync(join(root, 'scripts/strangers/apps/parse-server'), old, { recursive: true })
  const inOld = { folder: old, env: { ...env, OLD_DATABASE: database, PORT: String(oldPort) } }
  const documents = join(folder, 'database.json')
  const inHome = { folder: home, env: { ...(await addMongodump({ folder, env })), OLD_DATABASE: documents } }
  const withDatabase = { folder: home, env: { ...inHome.env, DATABASE_URL, PORT: String(port) } }
  await shell('npm install', inOld)
  await shell(`node createDatabase.mjs moved`, inOld)

  const importing = page.take('mongodump')
  const fromServer = page.read(/`(countersign import server .+?)`/)
  let session = ''
  let before = ''
  await runBeside(['npm', 'start'], { cwd: old, env: inOld.env }, `${oldServer}/health`, async () => {
    session = lastLine(await shell(`node seed.mjs ${oldServer}`, inOld))
    writeFileSync(documents, await shell('node toMongo.mjs', inOld))
    assert.match(await shell(importing, inHome), /Note/)
    // Over its API, into the embedded database of another folder.
    const beside = join(folder, 'beside')
    mkdirSync(beside)
    const filled = [oldServer, 'my-app', 'master'].reduce((command, value) => command.replace('…', value), fromServer)
    assert.match(await shell(`npx ${filled}`, { folder: beside, env }), /Note/)
    // People go on while the new server is tried.
    await shell(`node seed.mjs ${oldServer} more`, inOld)
    before = await shell(`node client.mjs ${oldServer} ${session}`, inOld)
    writeFileSync(documents, await shell('node toMongo.mjs', inOld))
  })

  page.write('countersign.config.ts', home)
  cpSync(join(old, 'cloud'), join(home, 'cloud'), { recursive: true })
  await shell(importing, inHome)
  const commands = page.take('countersign doctor')
  const [doctor = '', start = ''] = commands.split(/^(?=npx countersign start)/m)
  await shell(doctor, withDatabase)
  await runBeside(['bash', '-c', start], { cwd: home, env: withDatabase.env }, `${server}/health`, async () => {
    const after = await shell(`node client.mjs ${server} ${session}`, inOld)
    assert.deepEqual(JSON.parse(after), JSON.parse(before))
  })
  page.end()
}

/** @param {string} text */
const lastLine = (text) => text.trim().split('\n').at(-1) ?? ''
