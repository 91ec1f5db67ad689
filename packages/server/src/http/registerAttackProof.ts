import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/Context.ts'
import { proofPath, proofPrefix } from '../network/attackProof.ts'
import { isForwarded } from '../network/clientAddress.ts'
import { createRateLimiter } from './request/createRateLimiter.ts'

/** Shorter tokens could be guessed from one response. */
const shortestToken = 32

const limit = {
  requestPath: proofPath,
  requestTimeWindow: 60_000,
  requestCount: 10,
  errorResponseMessage: 'Too many requests.',
  includeInternalRequests: true,
}

/**
 * Proves to `countersign attack` that the operator allows it: an HMAC of the caller's nonce with the token in
 * `attackTokenFile`. Without the setting or the file there is no such path. The response depends on the nonce alone
 * and is useless without the token.
 */
export function registerAttackProof(app: FastifyInstance, { config, limits }: Context): void {
  const { attackTokenFile } = config
  if (attackTokenFile === undefined) return
  const rules = [limit]
  const limiter = createRateLimiter(() => rules, limits, 'attackProof')
  app.get(proofPath, async (request, reply) => {
    await limiter.count({ method: 'GET', path: proofPath, address: request.ip, isForwarded: isForwarded(request) })
    const { nonce } = request.query as { nonce?: unknown }
    const token = (await readFile(attackTokenFile, 'utf8').catch(() => '')).trim()
    if (token.length < shortestToken || typeof nonce !== 'string' || !/^[0-9a-f]{64}$/.test(nonce))
      return reply.callNotFound()
    return { proof: createHmac('sha256', token).update(`${proofPrefix}${nonce}`).digest('hex') }
  })
}
