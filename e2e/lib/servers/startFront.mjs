import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { extname, join } from 'node:path'
import { findFreePort } from '../../../scripts/steps/programs/findFreePort.mjs'

const types = /** @type {Record<string, string>} */ ({
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
})

/**
 * A host in front of a server, with the files of one release or another, that can be unreachable.
 *
 * @param {(publicUrl: string) => Promise<{ url: string, stop: () => Promise<void> }>} start the server behind it
 */
export async function startFront(start) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const server = await start(url)
  const target = new URL(server.url)
  /** @type {string | undefined} */
  let folder
  let isAway = false
  /** @type {string[]} */
  const asked = []
  /** @type {Set<import('node:stream').Duplex>} */
  const sockets = new Set()

  /** @param {import('node:http').IncomingMessage} incoming */
  async function findFile({ url: path = '/', headers }) {
    if (!folder) return undefined
    const name = path.split('?')[0] ?? '/'
    const isPage = headers.accept?.includes('text/html') || name === '/index.html'
    if (isPage && !/^\/(server|oidc|mcp|docs)/.test(name)) return join(folder, 'index.html')
    const file = join(folder, name)
    return (await readFile(file).catch(() => undefined)) ? file : undefined
  }

  const front = createServer(async (incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const file = await findFile(incoming)
    if (file) {
      outgoing.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain', 'Cache-Control': 'no-cache' })
      return outgoing.end(await readFile(file))
    }
    const { method, url: path, headers } = incoming
    const passed = request({ port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  front.on('connection', (socket) => {
    if (isAway) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  front.on('upgrade', (incoming, socket) => {
    const behind = connect(Number(target.port))
    const lines = incoming.rawHeaders.flatMap((name, index, all) => (index % 2 ? [] : [`${name}: ${all[index + 1]}`]))
    behind.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    for (const each of [behind, socket]) each.on('error', () => undefined)
    behind.pipe(socket).pipe(behind)
  })
  await new Promise((resolve) => front.listen(port, () => resolve(undefined)))

  return {
    url,
    /** Requests so far, with their methods. */
    asked,
    /** @param {string | undefined} next without it the server's own files are served */
    serve(next) {
      folder = next
    },
    cut() {
      isAway = true
      for (const socket of sockets) socket.destroy()
    },
    join() {
      isAway = false
    },
    async stop() {
      front.close()
      for (const socket of sockets) socket.destroy()
      await server.stop()
    },
  }
}
