import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { extname, join } from 'node:path'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/**
 * The rules of the templates' deploy/Caddyfile: an address with pages forwards /server, and everything else is a file or
 * the page; other addresses forward everything.
 *
 * @param {object} front
 * @param {number} front.port
 * @param {number} front.serverPort
 * @param {(host: string) => string | undefined} front.pagesOf folder of the pages of a host
 * @param {{ key: Buffer, cert: Buffer }} [front.tls]
 * @returns {Promise<{ stop: () => void }>}
 */
export async function startTemplateProxy({ port, serverPort, pagesOf, tls }) {
  /** @type {import('node:http').RequestListener} */
  const handle = (incoming, response) => {
    const { url = '/', method, headers } = incoming
    const folder = pagesOf((headers.host ?? '').replace(/:\d+$/, ''))
    if (folder !== undefined && !/^\/server([/?]|$)/.test(url)) {
      const path = join(folder, new URL(url, 'http://localhost').pathname)
      const file = existsSync(path) && statSync(path).isFile() ? path : join(folder, 'index.html')
      const type = types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
      return void response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
    }
    const forwarded = { ...headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': tls ? 'https' : 'http' }
    const onward = request({ port: serverPort, path: url, method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    incoming.pipe(onward)
  }
  const proxy = tls ? createTlsServer(tls, handle) : createServer(handle)
  proxy.on('upgrade', (incoming, socket) => {
    const onward = request({ port: serverPort, path: incoming.url, headers: incoming.headers })
    onward.on('upgrade', (answer, beyond) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      beyond.pipe(socket).pipe(beyond)
      for (const each of [socket, beyond]) each.on('error', () => each.destroy())
    })
    onward.on('error', () => socket.destroy())
    onward.end()
  })
  await new Promise((resolve) => proxy.listen(port, '127.0.0.1', () => resolve(undefined)))
  return {
    stop() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
