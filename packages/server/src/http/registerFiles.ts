import { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { getPreview } from '../files/getPreview.ts'
import { readRange } from '../files/readRange.ts'
import { findFile, type StoredFile } from '../files/StoredFile.ts'
import { getStore } from '../files/stores/getStore.ts'
import { isForwarded } from '../network/clientAddress.ts'
import type { ApiReply, ApiRequest } from './request/ApiRequest.ts'
import { answerError } from './request/answerError.ts'
import { applyCors } from './request/cors.ts'
import type { RateLimiter } from './request/createRateLimiter.ts'

/** Pictures that carry no script; everything else is for saving, not for showing. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

type RequestHandler = (request: ApiRequest, reply: ApiReply) => Promise<unknown>
type Asked = { appId: string; name: string }

/** Time (ms) after which a silent sender counts as gone. */
const silence = 60_000

/** Uploads, whose content is streamed, and the public addresses of files. */
export function registerFiles(
  app: FastifyInstance,
  context: Context,
  handleRequest: RequestHandler,
  limiter: RateLimiter,
): void {
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
    // An unread body after a refusal would hold the connection forever; Node does not discard a half-read one.
    scope.addHook('onResponse', (request, _reply, done) => {
      const { raw } = request
      // Only where there are some: taken from a stream that flows, it would stop.
      if (raw.listenerCount('readable') > 0) raw.removeAllListeners('readable')
      raw.resume()
      done()
    })
    for (const path of [folder, `${folder}/:name`]) scope.post(path, { config: { isUpload: true } }, handleRequest)
  })

  const answer =
    (find: (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      applyCors(config.allowOrigin, request, reply)
      try {
        const asked = request.params as Asked
        await limiter.count({
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

/** A file, or the part or preview of it that was asked for. Whatever it is, it must do nothing in a browser. */
async function sendFile(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  original: StoredFile,
): Promise<FastifyReply> {
  const edge = readEdge(request)
  const file = edge === undefined ? original : await getPreview(context, original, edge)
  const etag = `"${file.digest}"`
  const isShown = shown.has(file.type)
  reply.headers({
    'Content-Type': file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type,
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename="${file.name.slice(33)}"`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // The name is random and the content never changes.
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  })
  if (request.headers['if-none-match']?.split(',').some((mark) => mark.trim().replace(/^W\//, '') === etag)) {
    return reply.code(304).send()
  }
  const asked = request.headers['if-range'] ?? etag
  const range = asked === etag ? readRange(request.headers.range, file.size) : undefined
  if (range === 'unsatisfiable') {
    return reply.code(416).header('Content-Range', `bytes */${file.size}`).header('Content-Length', '0').send()
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${file.size}`)
  reply.header('Content-Length', String(end - start + 1))
  if (request.method === 'HEAD') return reply.send()
  const content = getStore(context, file.store).read(file.name, { start, end })
  return reply.send(content instanceof Readable ? content : Readable.from(content, { objectMode: false }))
}

function readEdge(request: FastifyRequest): number | undefined {
  const { size } = request.query as { size?: unknown }
  if (size === undefined) return undefined
  if (typeof size === 'string' && /^[1-9]\d{0,4}$/.test(size)) return Number(size)
  throw new CountersignError('InvalidValue', 'size must be a whole number of pixels, such as 256.')
}
