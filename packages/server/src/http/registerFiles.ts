import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { findFile } from '../files/findFile.ts'
import { answerError } from './answerError.ts'
import { applyCors } from './cors.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import { isForwarded } from './isForwarded.ts'
import { sendFile } from './sendFile.ts'

type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Asked = { appId: string; name: string }

/** A sender that says nothing for so long has gone. */
const silence = 60_000

/** Uploads, which pass the gate with their content unread, and the public addresses of files. */
export function registerFiles(app: FastifyInstance, context: Context, gate: Gate, limiter: RateLimiter): void {
  const { config, keys, log } = context
  const folder = `${config.mount}/files`

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => {
      // Only while it is the sender who keeps us waiting, and not the store.
      body.setTimeout?.(silence, () => body.readableLength === 0 && body.destroy())
      body.once('end', () => body.setTimeout?.(0))
      done(null, body)
    })
    // What a refusal left unread would hold the connection for ever; half-read, Node does not throw it away by itself.
    scope.addHook('onResponse', (request, _reply, done) => {
      const { raw } = request
      // Only where there are some: taken from a stream that flows, it would stop.
      if (raw.listenerCount('readable') > 0) raw.removeAllListeners('readable')
      raw.resume()
      done()
    })
    for (const path of [folder, `${folder}/:name`]) scope.post(path, { config: { isUpload: true } }, gate)
  })

  const answer =
    (find: (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      applyCors(config.allowOrigin, request, reply)
      try {
        const asked = request.params as Asked
        limiter.count({
          method: 'GET',
          path: request.url.slice(config.mount.length).split('?', 1)[0] ?? '',
          address: request.ip,
          isForwarded: isForwarded(request),
        })
        if (asked.appId !== keys.appId) return reply.code(403).send({ error: 'unauthorized' })
        return await find(request, reply, asked)
      } catch (error) {
        return answerError(reply, error, log)
      }
    }

  app.route({
    method: ['GET', 'HEAD'],
    url: `${folder}/:appId/:name`,
    handler: answer(async (request, reply, { name }) => {
      const file = await findFile(context, name)
      if (!file) return reply.code(404).type('text/plain').send('File not found.')
      return sendFile(context, request, reply, file)
    }),
  })
  app.get(
    `${folder}/:appId/metadata/:name`,
    answer(async (_request, reply, { name }) => {
      const file = await findFile(context, name)
      return reply.send(file ? { metadata: file.metadata, tags: file.tags } : {})
    }),
  )
}
