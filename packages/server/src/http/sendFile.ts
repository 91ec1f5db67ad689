import { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { getPreview } from '../files/previews/getPreview.ts'
import { readRange } from '../files/readRange.ts'
import type { StoredFile } from '../files/StoredFile.ts'
import { getStore } from '../files/stores/getStore.ts'

/** Pictures that carry no script; everything else is for saving, not for showing. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** A file, or the part or preview of it that was asked for. Whatever it is, it must do nothing in a browser. */
export async function sendFile(
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
