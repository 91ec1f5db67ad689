import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import { fileUrl } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks, runAfter, runBefore } from '../hooks/runHooks.ts'
import { addToIpfs } from './addToIpfs.ts'
import { chooseType } from './chooseType.ts'
import { checkFileName, checkUploader, describeFile, type StoredFile } from './StoredFile.ts'
import { storeContent } from './storeContent.ts'
import { getStore } from './stores/getStore.ts'

/** Number of bytes that determine a file's type. */
export const judgedLength = 4100

type Mark = { at?: number; bytes: string; type: string }

/** First bytes of file types, as Latin-1 text. Containers of several types follow after the table. */
const marks: Mark[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: '%PDF-', type: 'application/pdf' },
  { bytes: '\x1f\x8b\x08', type: 'application/gzip' },
  { bytes: "7z\xbc\xaf'\x1c", type: 'application/x-7z-compressed' },
  { bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: 'application/vnd.ms-office' },
  { bytes: '\0asm', type: 'application/wasm' },
  { bytes: 'glTF', type: 'model/gltf-binary' },
  { bytes: 'ID3', type: 'audio/mpeg' },
  { bytes: 'fLaC', type: 'audio/flac' },
  { bytes: 'wOFF', type: 'font/woff' },
  { bytes: 'wOF2', type: 'font/woff2' },
  { bytes: 'OTTO\0', type: 'font/otf' },
  { bytes: '\0\x01\0\0\0', type: 'font/ttf' },
  { bytes: '\x7fELF', type: 'application/x-elf' },
  { bytes: 'MZ', type: 'application/x-msdownload' },
  { bytes: 'FWS', type: 'application/x-shockwave-flash' },
  { bytes: 'CWS', type: 'application/x-shockwave-flash' },
  { bytes: 'ZWS', type: 'application/x-shockwave-flash' },
]

/** Detects a file's type by its first bytes, never by its name or the sender's claim. */
export function judgeContent(beginning: Buffer): string {
  const text = beginning.toString('latin1')
  const mark = marks.find(({ bytes }) => text.startsWith(bytes))
  // A text may well start with MZ; what these marks stand for has a zero soon.
  if (mark && (!/^\w{1,3}$/.test(mark.bytes) || beginning.includes(0))) return mark.type
  return judgeContainer(beginning, text) ?? judgeText(beginning) ?? 'application/octet-stream'
}

function judgeContainer(beginning: Buffer, text: string): string | undefined {
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return judgeArchive(text)
  if (text.startsWith('RIFF')) {
    return { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }[text.slice(8, 12)]
  }
  if (text.startsWith('BM') && beginning.length > 14 && beginning.readUInt32LE(6) === 0) return 'image/bmp'
  if (text.slice(4, 8) === 'ftyp') return judgeBrand(text.slice(8, 12))
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'video/webm' : 'video/x-matroska'
  if (text.startsWith('OggS')) return text.slice(0, 200).includes('theora') ? 'video/ogg' : 'audio/ogg'
  const [first = 0, second = 0] = beginning
  // Frames of MPEG audio and of AAC have no more of a mark than eleven bits.
  if (first === 0xff && (second & 0xf6) === 0xf0 && beginning.includes(0)) return 'audio/aac'
  if (first === 0xff && (second & 0xe6) === 0xe2) return 'audio/mpeg'
  return undefined
}

/** Documents of office programs are archives with files of set names in them. */
function judgeArchive(text: string): string {
  const office = 'application/vnd.openxmlformats-officedocument'
  if (text.includes('word/')) return `${office}.wordprocessingml.document`
  if (text.includes('xl/')) return `${office}.spreadsheetml.sheet`
  if (text.includes('ppt/')) return `${office}.presentationml.presentation`
  return 'application/zip'
}

function judgeBrand(brand: string): string {
  if (brand === 'avif' || brand === 'avis') return 'image/avif'
  if (/^(hei|hev|mif1|msf1)/.test(brand)) return 'image/heic'
  if (brand.startsWith('qt')) return 'video/quicktime'
  return brand.startsWith('M4A') ? 'audio/mp4' : 'video/mp4'
}

/** Type of a text; `undefined` for other content. Anything that a browser could take for markup counts as markup. */
function judgeText(beginning: Buffer): string | undefined {
  const text = decode(beginning)
  if (text === undefined) return undefined
  const start = text.trimStart()
  if (/^<\?xml/i.test(start)) return /<svg[\s>]/i.test(start) ? 'image/svg+xml' : 'application/xml'
  if (/^<([!?/a-z]|$)/i.test(start)) return /<svg[\s>]/i.test(start) ? 'image/svg+xml' : 'text/html'
  return /^[[{]/.test(start) ? 'application/json' : 'text/plain'
}

function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le').slice(1)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return swapped(bytes).slice(1)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  // The last sign may be cut in half; any other that is no UTF-8, or a control sign, makes it no text.
  const whole = text.replace(/\ufffd{1,3}$/, '')
  return bytes.some(isControl) || whole.includes('\ufffd') ? undefined : whole
}

function swapped(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}

/** All but the signs of tabs, lines, pages and escapes, as the sniffing of browsers has it. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b
}

export type Upload = {
  name: string | undefined
  /** Type declared by the sender. */
  type?: string | undefined
  content: AsyncIterable<Buffer>
  maxSize: number
  /** Asked once the content is in: in a form it may stand behind the file. */
  extras: () => Extras
  /** Keeps the response in the transaction that saves the file. */
  keep?: (saved: Saved) => Promise<void>
}

export type Saved = { name: string; url: string; ipfs?: string; hash?: string }

/** Keeps a file for a client, as it comes in. */
export async function saveFile(context: Context, caller: Caller, upload: Upload): Promise<Saved> {
  const { config } = context
  await checkUploader(context, caller)
  const claimed = { name: checkFileName(upload.name), type: upload.type }
  const { beginning, content } = await peekContent(upload.content, judgedLength)
  if (beginning.length === 0) throw new CountersignError('FileSaveError', 'Invalid file upload.')
  const { name, type } = chooseType(config.fileUpload, caller.isMaster, claimed, judgeContent(beginning))
  let saved: Saved = { name: '', url: '' }
  const { keep } = upload
  const file = await storeContent(
    context,
    {
      ...{ name, type, content, maxSize: upload.maxSize, owner: caller.session?.userId },
      keep: keep && (() => keep(saved)),
    },
    async (stored) => {
      const { ipfs, ...extras } = upload.extras()
      const { metadata, tags } = await askHooks(context, caller, stored, extras)
      const hash = ipfs ? await pinFile(context, stored) : undefined
      saved = { name: stored.name, url: fileUrl(context, stored.name) }
      if (hash !== undefined) saved = { ...saved, ipfs: `${config.ipfs?.gateway.replace(/\/*$/, '/')}${hash}`, hash }
      return { metadata, tags, ipfs: hash }
    },
  )
  const { name: storedName, url } = saved
  await runAfter(context, caller, {
    hook: 'afterSave',
    className: '@File',
    object: { ...describeFile(file), name: storedName, url },
  })
  return saved
}

/** Calls hooks for an uploaded file. They may reject it, and change its metadata. */
async function askHooks(
  context: Context,
  caller: Caller,
  file: StoredFile,
  extras: Omit<Extras, 'ipfs'>,
): Promise<Omit<Extras, 'ipfs'>> {
  const handlers = findHooks(context, 'beforeSave', '@File')
  if (!handlers) return extras
  const object: WireFields = { ...describeFile({ ...file, ...extras }) }
  // Not more than older clients send: a hook has the whole of it in memory.
  if (file.size <= context.config.maxUploadSize) object.base64 = (await readContent(context, file)).toString('base64')
  const own = await runBefore(handlers, caller, { hook: 'beforeSave', className: '@File', object })
  return readExtras({ ...extras, ...own } as { metadata?: WireValue; tags?: WireValue })
}

async function readContent(context: Context, { store, name, size }: StoredFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of getStore(context, store).read(name, { start: 0, end: size - 1 }))
    chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Adds a file to IPFS and pins it, by the operator's node; returns its content id. */
async function pinFile(context: Context, file: StoredFile): Promise<string> {
  const { config, log } = context
  const { ipfs } = config
  if (!ipfs) {
    throw new CountersignError('FileSaveError', 'IPFS is not configured on this server.', {
      details: 'The operator can set a node in ipfs.url.',
    })
  }
  const content = getStore(context, file.store).read(file.name, { start: 0, end: file.size - 1 })
  try {
    return await addToIpfs(ipfs, [{ name: file.name, content }])
  } catch (cause) {
    log.warn({ err: cause, file: file.name }, 'a file could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The file could not be saved to IPFS. Try again later.', { cause })
  }
}

/** The beginning of a content, and the whole of it, to be read once. */
export async function peekContent(
  content: AsyncIterable<Buffer>,
  length: number,
): Promise<{ beginning: Buffer; content: AsyncIterable<Buffer> }> {
  const iterator = content[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let heldLength = 0
  while (heldLength < length) {
    const { done, value } = await iterator.next()
    if (done) break
    held.push(value)
    heldLength += value.length
  }
  return { beginning: Buffer.concat(held).subarray(0, length), content: rest() }

  async function* rest(): AsyncGenerator<Buffer> {
    yield* held.splice(0)
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
  }
}

/** Data sent with a file. */
export type Extras = { metadata: WireFields; tags: WireFields; ipfs: boolean }

const largest = 16 * 1024

/** Metadata are any values by name; tags are texts by name. */
export function readExtras(given: { metadata?: WireValue; tags?: WireValue; ipfs?: WireValue }): Extras {
  const metadata = readObject('metadata', given.metadata)
  const tags = readObject('tags', given.tags)
  for (const [name, tag] of Object.entries(tags)) {
    if (typeof tag !== 'string')
      throw new CountersignError('FileSaveError', `The tag ${name.slice(0, 50)} must be text.`)
  }
  return { metadata, tags, ipfs: given.ipfs === true }
}

function readObject(what: string, value: WireValue | undefined): WireFields {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new CountersignError('FileSaveError', `The ${what} of a file must be an object.`)
  }
  if (JSON.stringify(value).length > largest) {
    throw new CountersignError('FileSaveError', `The ${what} of a file can have at most ${largest} bytes.`)
  }
  return value as WireFields
}
