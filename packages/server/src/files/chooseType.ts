import { CountersignError } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { endingOf } from './StoredFile.ts'

const endings: { [type: string]: string } = {
  'image/png': 'png apng',
  'image/jpeg': 'jpg jpeg jfif',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic heif',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/svg+xml': 'svg svgz',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga opus',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/ogg': 'ogv',
  'video/x-msvideo': 'avi',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/pdf': 'pdf',
  'application/json': 'json geojson',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-7z-compressed': '7z',
  'application/vnd.ms-office': 'doc xls ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/octet-stream': 'bin dat',
  'application/wasm': 'wasm',
  'model/gltf-binary': 'glb',
  'text/plain': 'txt text log',
  'text/csv': 'csv',
  'text/markdown': 'md markdown',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs',
  'text/html': 'html htm shtml xhtml xht',
  'application/xml': 'xml xsl xslt rss atom mml mathml',
}

const types = new Map(
  Object.entries(endings).flatMap(([type, list]) => list.split(' ').map((ending) => [ending, type])),
)

export type Claimed = { name: string; type: string | undefined }

/** Text types that content does not reveal; the sender may name them, since none can do harm. */
const plainTexts = new Set(['text/plain', 'text/csv', 'text/markdown', 'application/json'])

/**
 * The type that a file is kept under, and its name with an ending. What is in the file must be allowed, and so must be
 * what its name and its sender pass it off as. The master key may store anything; how it is served keeps it harmless.
 */
export function chooseType(
  rules: Config['fileUpload'],
  isMaster: boolean,
  claimed: Claimed,
  judged: string,
): { name: string; type: string } {
  const ending = endingOf(claimed.name)
  const byName = findTypeOfEnding(ending)
  const bySender = readType(claimed.type)
  if (!isMaster) {
    refuseType(rules, judged)
    if (ending !== '') refuseEnding(rules, ending, byName)
    // The sender's type is never served; markup or script is rejected immediately.
    if (bySender !== undefined && isActive(bySender)) refuseType(rules, bySender)
    if (byName !== undefined && !fits(byName, judged)) {
      throw refusal(`The content of ${claimed.name} is ${judged}, which does not match its name.`)
    }
  }
  const type = [byName, bySender].find((said) => said !== undefined && plainTexts.has(said) && plainTexts.has(judged))
  const chosen = type ?? judged
  if (ending !== '') return { name: claimed.name, type: chosen }
  const added = findEndingOfType(chosen)
  return { name: added ? `${claimed.name}.${added}` : claimed.name, type: chosen }
}

function refuseType({ allowedTypes }: Config['fileUpload'], type: string): void {
  const family = `${type.split('/', 1)[0]}/*`
  if (allowedTypes.includes(type) || allowedTypes.includes(family)) return
  throw refusal(`File upload of type ${type} is disabled.`)
}

function refuseEnding(rules: Config['fileUpload'], ending: string, type: string | undefined): void {
  if (rules.fileExtensions.some((allowed) => matchesEnding(allowed, ending))) return
  if (type === undefined) throw refusal(`File upload of extension ${ending} is disabled.`)
  try {
    refuseType(rules, type)
  } catch {
    throw refusal(`File upload of extension ${ending} is disabled.`)
  }
}

/** `gpx`, `*`, or a pattern that the whole ending has to match, as in the older server. */
function matchesEnding(allowed: string, ending: string): boolean {
  if (allowed === '*' || allowed.toLowerCase() === ending) return true
  return !/^\w+$/.test(allowed) && new RegExp(allowed).test(ending)
}

/** Returns true if content fits the type of its name: the same type, one text for another, or bytes of unknown kind. */
function fits(byName: string, judged: string): boolean {
  if (byName === judged) return true
  if (plainTexts.has(byName)) return plainTexts.has(judged)
  if (byName === 'application/octet-stream') return true
  if (judged === 'application/octet-stream') return !byName.startsWith('image/') && byName !== 'application/pdf'
  const [family] = byName.split('/', 1)
  // Sound and film share their containers; documents of office programs are archives.
  if (family === 'audio' || family === 'video') return /^(audio|video)\//.test(judged)
  return judged === 'application/zip' && byName.startsWith('application/vnd.')
}

function isActive(type: string): boolean {
  return /html|xml|script|css|flash|wasm/.test(type)
}

/** The bare type: parameters have been used to smuggle one past a filter. What is not well formed is refused. */
function readType(said: string | undefined): string | undefined {
  if (said === undefined || said.trim() === '') return undefined
  const [, type] = /^\s*([a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100})\s*(?:;|$)/i.exec(said) ?? []
  if (!type) throw refusal('The content type is malformed.')
  return type.toLowerCase()
}

function refusal(message: string): CountersignError {
  return new CountersignError('FileSaveError', message, {
    details: 'The operator can allow types and extensions in the setting fileUpload.',
  })
}

/** The type that an ending stands for; `undefined` for one that we do not know. */
function findTypeOfEnding(ending: string): string | undefined {
  return types.get(ending)
}

/** The ending that a file of a type without one gets. */
function findEndingOfType(type: string): string | undefined {
  return Object.hasOwn(endings, type) ? endings[type]?.split(' ', 1)[0] : undefined
}
