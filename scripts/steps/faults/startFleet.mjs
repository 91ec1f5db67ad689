import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailServer } from '../../../e2e/lib/servers/startMailServer.mjs'
import { startPostgres } from '../../postgres.mjs'
import { startCountersign } from '../servers/startCountersign.mjs'
import { preload } from './askInside.mjs'
import { createCaller } from './createCaller.mjs'
import { importTesting } from './importTesting.mjs'
import { startFaultyNode } from './startFaultyNode.mjs'
import { prepareTraffic } from './startTraffic.mjs'
import { watchStatements } from './watchStatements.mjs'

/** @typedef {Awaited<ReturnType<typeof startFleet>>} Fleet */
/** @typedef {Fleet['members'][0]} Member */
/**
 * @typedef {object} FleetOptions
 * @property {{ workers?: number, checkout?: string }[]} servers
 * @property {Record<string, string | number>} [settings] of PostgreSQL
 * @property {object} [config] of the servers
 * @property {string} [dir] of the database
 * @property {() => (cut: () => void) => object} [createTap] for the connections of one server to the database
 */

/** Commits reach the disk before they are acknowledged, as in production. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/**
 * Servers on one PostgreSQL, each behind a network of its own that can be cut, with a mail server and a chain node that
 * can fail. The server has to be built.
 *
 * @param {FleetOptions} options
 */
export async function startFleet({ servers, settings = {}, config = {}, dir, createTap }) {
  const { createProxy } = await importTesting('createProxy.ts')
  const folder = mkdtempSync(join(tmpdir(), 'countersign-faults-'))
  /** @type {(() => unknown)[]} */
  const closing = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const close of closing.reverse()) await close()
  }
  try {
    const postgres = await startPostgres({ settings: { ...durable, ...settings }, ...(dir && { dir }) })
    closing.push(postgres.stop)
    const mailServer = await startMailServer()
    let mails = 0
    const mail = await createProxy({ host: '127.0.0.1', port: Number(new URL(mailServer.url).port) }, () => ({
      fromServer(/** @type {Buffer} */ chunk) {
        if (chunk.includes('250 taken')) mails++
        return chunk
      },
    }))
    closing.push(mailServer.stop, mail.close)
    const node = await startFaultyNode()
    closing.push(node.stop)
    const file = join(folder, 'countersign.config.json')
    const chains = [{ id: node.chainId, rpcUrls: [node.url], timeout: 2_000 }]
    writeFileSync(file, JSON.stringify({ chains, rateLimit: [], chainApi: { requestsPerMinute: 0 }, ...config }))
    /** @param {FleetOptions['servers'][0]} options */
    const startMember = async ({ workers = 1, checkout }) => {
      const statements = watchStatements()
      const proxy = await createProxy({ host: '127.0.0.1', port: postgres.port }, createTap?.() ?? statements.tap)
      closing.push(proxy.close)
      const environment = {
        DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        COUNTERSIGN_CONFIG: file,
        COUNTERSIGN_LOG_LEVEL: 'warn',
        COUNTERSIGN_WORKERS: String(workers),
        COUNTERSIGN_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        COUNTERSIGN_MAIL_FROM: 'faults@example.org',
        FAULTS_FOLDER: folder,
      }
      const server = await startCountersign(environment, [], { preload, ...(checkout && { checkout }) })
      closing.push(server.stop)
      if (!server.output().includes('is ready')) throw new Error(`The server did not start:\n${server.output()}`)
      const { call, close } = createCaller(server.api)
      closing.push(close)
      return { server, proxy, statements, call, workers }
    }
    /** @type {Awaited<ReturnType<typeof startMember>>[]} */
    const members = []
    for (const each of servers) members.push(await startMember(each))
    const calls = members.map(({ call }) => call)
    await prepareTraffic(/** @type {(typeof calls)[0]} */ (calls[0]))
    /** Stops a server in good order and starts one of this version in its place. @param {number} place */
    const replace = async (place) => {
      const { server } = /** @type {(typeof members)[0]} */ (members[place])
      server.child.kill('SIGTERM')
      await server.exited
      const member = await startMember({})
      members[place] = member
      calls[place] = member.call
    }
    return { postgres, mail, mails: () => mails, node, members, calls, folder, replace, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
