import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { extname, join } from 'node:path'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * Runs a created application as its README says for production, without containers: the built pages at one address,
 * whose proxy forwards /server, and the web application at another. The work gets the address of the pages and the
 * output of the server.
 *
 * @param {string} app
 * @param {NodeJS.ProcessEnv} env
 * @param {(pages: string, said: () => string) => Promise<void>} work
 */
export async function operate(app, env, work) {
  const serverPort = await findFreePort()
  const pages = await startPages(join(app, 'dist'), serverPort)
  const own = {
    ...env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(serverPort),
    COUNTERSIGN_DATA: join(app, 'data-production'),
    COUNTERSIGN_PUBLIC_URL: pages.url,
    COUNTERSIGN_WEB_URL: `http://localhost:${serverPort}`,
    COUNTERSIGN_TRUST_PROXY: '1',
    COUNTERSIGN_DRAIN_TIME: '0',
  }
  try {
    const health = `${pages.url}/server/health`
    await runBeside(['npm', 'start'], { cwd: app, env: own }, health, (said) => work(pages.url, said))
  } finally {
    pages.stop()
  }
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/**
 * The rules of deploy/Caddyfile: /server to the server, everything else is a file or the page.
 *
 * @param {string} folder
 * @param {number} serverPort
 */
async function startPages(folder, serverPort) {
  const proxy = createServer((incoming, response) => {
    const { url = '/', method, headers } = incoming
    if (!/^\/server([/?]|$)/.test(url)) {
      const path = join(folder, new URL(url, 'http://localhost').pathname)
      const file = existsSync(path) && statSync(path).isFile() ? path : join(folder, 'index.html')
      const type = types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
      return void response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
    }
    const forwarded = { ...headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }
    const onward = request({ port: serverPort, path: url, method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    incoming.pipe(onward)
  })
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
  const port = await findFreePort()
  await new Promise((resolve) => proxy.listen(port, '127.0.0.1', () => resolve(undefined)))
  return {
    url: `http://localhost:${port}`,
    stop() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
