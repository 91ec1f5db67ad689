import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRange } from '../files/readRange.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
}

/** Encodings in the order of preference, with the ending of a compressed file beside the plain one. */
const endings = { br: '.br', gzip: '.gz' } as const

type Encoding = keyof typeof endings

/** A file on the disk. `stamp` tells whether `tag`, the hash of the content, is still true. */
type Version = { at: string; stamp?: string; tag?: string }

export type StaticFile = { type: string; plain: Version } & Partial<Record<Encoding, Version>>

/**
 * Lists the files of a folder by their paths, such as `assets/index.js`. A request looks its path up in this list and
 * is never joined to the folder's path, so that no spelling of it leads elsewhere. Hidden files, symbolic links and
 * compressed files are not in the list.
 */
export async function readFolder(folder: string): Promise<Map<string, StaticFile>> {
  const all = new Map((await listFiles(folder)).map((at) => [relative(folder, at).split(sep).join('/'), at]))
  const files = new Map<string, StaticFile>()
  for (const [path, at] of all) {
    if (/(^|\/)\./.test(path) || /\.(br|gz)$/.test(path)) continue
    const file: StaticFile = { type: types[extname(path)] ?? 'application/octet-stream', plain: { at } }
    for (const encoding of ['br', 'gzip'] as const) {
      const compressed = all.get(`${path}${endings[encoding]}`)
      if (compressed !== undefined) file[encoding] = { at: compressed }
    }
    files.set(path, file)
  }
  return files
}

/** Paths of the files below a folder. `readdir` with `recursive` follows symbolic links since Node.js 26. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const lists = entries.map((entry) => {
    const at = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(at)
    return entry.isFile() ? [at] : []
  })
  return (await Promise.all(lists)).flat()
}

/**
 * The path of a request below `prefix`, as it was sent. Encoded characters stay encoded and match no file: each file
 * has one address, and the router and this server cannot read it differently.
 */
export function readPath({ url }: FastifyRequest, prefix: string): string | undefined {
  const path = url.split('?', 1)[0] as string
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** Encodings that a client accepts, the preferred one first. */
export function listEncodings(accepted = ''): Encoding[] {
  const taken = accepted.split(',').flatMap((part) => {
    const [coding, ...parameters] = part.toLowerCase().split(';', 4)
    return parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter)) ? [] : [coding?.trim()]
  })
  return (['br', 'gzip'] as const).filter((encoding) => taken.includes(encoding))
}

/** Sends a file: compressed if the client accepts that, in part if it asks for one range, not at all if it has it. */
export async function sendStatic(request: FastifyRequest, reply: FastifyReply, file: StaticFile) {
  const { headers, method } = request
  const encoding = listEncodings(headers['accept-encoding']).find((each) => file[each])
  const version = (encoding && file[encoding]) ?? file.plain
  const handle = await open(version.at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // A build that runs just now has removed it.
  if (!handle) return reply.callNotFound()
  let isStreamed = false
  try {
    const { size, tag } = await readTag(handle, version)
    reply.headers({ ETag: tag, 'Accept-Ranges': 'bytes' }).type(file.type)
    if (file.br || file.gzip) reply.header('Vary', 'Accept-Encoding')
    if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send()
    if (encoding) reply.header('Content-Encoding', encoding)
    const isPartial = method === 'GET' && (headers['if-range'] ?? tag) === tag
    const range = isPartial ? readRange(headers.range, size) : undefined
    if (range === 'unsatisfiable')
      return reply.code(416).header('Content-Range', `bytes */${size}`).removeHeader('Content-Encoding').send()
    if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
    const { start, end } = range ?? { start: 0, end: size - 1 }
    reply.header('Content-Length', end - start + 1)
    if (method === 'HEAD' || size === 0) return reply.send()
    isStreamed = true
    return reply.send(handle.createReadStream({ start, end }))
  } finally {
    if (!isStreamed) await handle.close()
  }
}

/** The hash of the content: packages have the same time for all files, so times do not tell two releases apart. */
async function readTag(handle: FileHandle, version: Version): Promise<{ size: number; tag: string }> {
  const { size, mtimeMs } = await handle.stat()
  const stamp = `${size} ${mtimeMs}`
  if (version.tag === undefined || version.stamp !== stamp) {
    const hash = createHash('sha256').update(await handle.readFile())
    Object.assign(version, { stamp, tag: `"${hash.digest('base64url').slice(0, 22)}"` })
  }
  return { size, tag: version.tag as string }
}

/** Proxies that compress mark the tag as weak. */
function hasTag(wanted: string | undefined, tag: string): boolean {
  return wanted?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false
}
