import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../programs/findFreePort.mjs'
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
  const lines = databases.map(
    (each, index) => `server s${index} 127.0.0.1:${each.port} check port ${checks[index]?.port}`,
  )
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 500ms
  timeout queue 250ms
  timeout check 10s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  http-check expect status 200
  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
  ${lines.join('\n  ')}
`,
  )
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
