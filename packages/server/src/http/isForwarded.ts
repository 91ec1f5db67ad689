import type { FastifyRequest } from 'fastify'

/** Whether a proxy that is trusted told who is calling. */
export function isForwarded({ ips }: Pick<FastifyRequest, 'ips'>): boolean {
  return ips !== undefined && ips.length > 1
}
