import { connect } from 'node:net'
import type { TestServer } from './createTestServer.ts'

/** Sends these bytes over a separate connection, and returns everything received until it was closed. */
export function sendRaw({ url }: TestServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'))
    socket.setTimeout(20_000, () => socket.destroy(new Error(`the connection was not closed after ${answer}`)))
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
