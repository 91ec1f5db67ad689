import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'

/** Links of the older mails lead to pages under the mount; they go on to the screens of the web application. */
export function registerOldPages(app: FastifyInstance, context: Context): void {
  const forward = (from: string, to: string) =>
    app.get(`${context.config.mount}/apps/${from}`, (request: FastifyRequest, reply) => {
      const { token } = request.query as { token?: unknown }
      const secret = typeof token === 'string' ? `?token=${encodeURIComponent(token)}` : ''
      return reply.redirect(`${context.publicUrl}${to}${secret}`, 302)
    })
  forward(':appId/verify_email', '/verify-email')
  forward(':appId/request_password_reset', '/reset')
  forward('choose_password', '/reset')
}
