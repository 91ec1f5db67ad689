import { createServer } from 'node:net'

/**
 * Finds a port of the loopback interface that was free a moment ago. It lies below those that systems give to
 * connections and to servers that name none, so that nobody else is given it before the caller listens.
 *
 * @returns {Promise<number>}
 */
export function findFreePort() {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) =>
      /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE' ? resolve(findFreePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
