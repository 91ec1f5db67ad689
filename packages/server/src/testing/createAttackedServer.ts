import type { ConfigInput } from '../config/Config.ts'
import { createTestServer, type TestServer } from './createTestServer.ts'
import type { TestDatabase } from './openTestDatabase.ts'

/** Longest turn (ms) of the event loop that a request may cause. The embedded database runs on the same thread. */
export const longestTurn = process.env.TEST_DATABASE === 'postgres' ? 50 : 200

/** Test server for attacks: with the overload guard on, as shipped. */
export function createAttackedServer(config: ConfigInput = {}, shared?: TestDatabase): Promise<TestServer> {
  return createTestServer({ overloadDelay: 250, ...config }, shared)
}
