import { CountersignError } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import { endingOf } from '../checkFileName.ts'
import { findEndingOfType, findTypeOfEnding } from './typesOfEndings.ts'

export type Claimed = { name: string; type: string | undefined }

/** Texts whose kind no content tells; which one it is may be said by the sender, since none of them can do harm. */
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
    // What the sender says is never served; one that says markup or script is told at once.
    if (bySender !== undefined && isActive(bySender)) refuseType(rules, bySender)
    if (byName !== undefined && !fits(byName, judged)) {
      throw refusal(`The content of ${claimed.name} is ${judged}, which its name does not say.`)
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
  if (rules.fileExtensions.some((allowed) => allowed.toLowerCase() === ending)) return
  if (type === undefined) throw refusal(`File upload of extension ${ending} is disabled.`)
  try {
    refuseType(rules, type)
  } catch {
    throw refusal(`File upload of extension ${ending} is disabled.`)
  }
}

/** Whether content may go by a name: of the same type, one text for another, or bytes whose kind nothing tells. */
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
  if (!type) throw refusal('The content type is not well formed.')
  return type.toLowerCase()
}

function refusal(message: string): CountersignError {
  return new CountersignError('FileSaveError', message, {
    details: 'The server’s setting fileUpload says which types and endings are allowed.',
  })
}
