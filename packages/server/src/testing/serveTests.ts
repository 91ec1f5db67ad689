import { afterAll, beforeAll } from 'vitest'
import type { ConfigInput } from '../config/Config.ts'
import { createTestServer, type TestServer } from './createTestServer.ts'

/**
 * A live server for the tests of a file or of a `describe`. It is there from the first `beforeAll` or test after this
 * call on; a configuration that depends on something started before is given as a function.
 */
export function serveTests(config: ConfigInput | (() => ConfigInput) = {}): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    Object.assign(server, await createTestServer(typeof config === 'function' ? config() : config))
  })
  afterAll(() => server.stop())
  return server
}
