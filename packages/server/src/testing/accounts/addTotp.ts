import { Secret, TOTP } from 'otpauth'
import { installation } from '../answerChallenge.ts'
import type { TestServer } from '../createTestServer.ts'

/** Turns on an authenticator app and returns its current code; each code is of another half minute. */
export async function addTotp(server: TestServer, token: string): Promise<() => string> {
  const options = { token, headers: installation }
  const { body } = await server.call('POST', '/auth/totp', {}, options)
  const totp = new TOTP({ secret: Secret.fromBase32(String(body.secret)) })
  const code = () => {
    server.clock.forward(30_000)
    return totp.generate({ timestamp: server.clock.ms() })
  }
  const on = await server.call('POST', '/auth/totp/confirm', { code: code() }, options)
  if (on.status !== 200) throw new Error(`The authenticator app is not on: ${on.text}`)
  return code
}
