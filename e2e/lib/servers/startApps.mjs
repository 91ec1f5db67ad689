import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../apps/dist', import.meta.url))
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/**
 * Serves the built pages of e2e/apps from an origin of their own, as a team serves its application. `/rpc` is a node
 * that knows nothing.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startApps() {
  if (!existsSync(folder)) throw new Error('The pages of e2e/apps are not built: npm test -- --only e2e')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/rpc') {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      return response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Nothing is known here"}}')
    }
    const file = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    const type = types[/** @type {keyof typeof types} */ (extname(file))]
    if (!type || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': type })
    createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    url: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      }),
  }
}
