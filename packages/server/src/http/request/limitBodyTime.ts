import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as the server gives any request. */
    isUpload?: boolean
  }
}

const patience = 60_000

/** A body that trickles in byte by byte holds a connection for nothing; only files may take their time. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (!hasBody || request.routeOptions.config.isUpload) return done()
    const timer = setTimeout(() => request.raw.destroy(), patience)
    const end = () => clearTimeout(timer)
    payload.once('end', end)
    payload.once('close', end)
    done()
  })
}
