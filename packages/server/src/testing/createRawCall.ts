import type { TestServer } from './createTestServer.ts'

/** Requests without anything that `call` adds. */
export function createRawCall(serverOf: () => TestServer) {
  async function raw(path: string, init: RequestInit = {}) {
    const response = await fetch(`${serverOf().serverUrl}${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }

  return { raw }
}
