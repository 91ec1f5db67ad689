import { afterAll, beforeAll } from 'vitest'
import { startServer, type TestServer } from './startServer.ts'

/** A server for the tests of a file or of a `describe`, from the first `beforeAll` or test after this call on. */
export function serveTests(...input: Parameters<typeof startServer>): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    Object.assign(server, await startServer(...input))
  })
  afterAll(() => server.remove())
  return server
}
