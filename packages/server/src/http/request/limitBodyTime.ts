import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as the server gives any request. */
    isUpload?: boolean
  }
}

const patience = 60_000

/** A body that trickles in byte by byte holds a connection for nothing. */
export function limitBodyTime(body: IncomingMessage): void {
  const timer = setTimeout(() => body.destroy(), patience)
  const end = () => clearTimeout(timer)
  body.once('end', end)
  body.once('close', end)
}

/** Limits the bodies of all routes; only files may take their time. */
export function limitBodyTimes(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (hasBody && !request.routeOptions.config.isUpload) limitBodyTime(request.raw)
    done()
  })
}
