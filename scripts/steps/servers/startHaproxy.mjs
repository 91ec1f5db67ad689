import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../programs/findFreePort.mjs'
import { root } from '../root.mjs'
import { queryPostgres } from './queryPostgres.mjs'
import { createFolder } from './startStandby.mjs'
import { until } from './until.mjs'

/**
 * HAProxy in front of a primary and its standby. It sends connections to the one that takes writes, as reported by a
 * page for each, and closes those of one that no longer does.
 *
 * @param {{ port: number, url: string }[]} databases
 */
export async function startHaproxy(databases) {
  const checks = await Promise.all(databases.map(({ url }) => reportPrimary(url)))
  const port = await findFreePort()
  const folder = createFolder()
  const file = join(folder, 'haproxy.cfg')
  const servers = databases.map(
    (each, index) => `  server db${index + 1} 127.0.0.1:${each.port} check port ${checks[index]?.port}\n`,
  )
  // The file that operators copy, with other addresses.
  const documented = readFileSync(join(root, 'deploy/haproxy/postgresql.cfg'), 'utf8')
  const withoutServers = documented.replace(/^ {2}server .*\n/gm, '')
  writeFileSync(file, withoutServers.replace(/bind .*/, `bind 127.0.0.1:${port}`) + servers.join(''))
  const child = spawn('haproxy', ['-f', file], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await until(() => accepts(port))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      for (const { server } of checks) server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A page that says 200 while this database takes writes. @param {string} url */
async function reportPrimary(url) {
  const server = createServer((_request, response) => {
    queryPostgres(url, 'select pg_is_in_recovery()').then(
      (inRecovery) => response.writeHead(inRecovery === 'f' ? 200 : 503).end(),
      () => response.writeHead(503).end(),
    )
  })
  const port = await findFreePort()
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)))
  return { server, port }
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
