import type { ConfigInput } from '../config/Config.ts'
import { createTestServer, type TestServer } from './createTestServer.ts'

/** Runs something on a server of its own, without rate limits unless they are given. */
export async function withServer(config: ConfigInput, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await createTestServer({ rateLimit: [], ...config })
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}
