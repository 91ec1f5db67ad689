import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/Config.ts'
import { readAddresses } from '../db/postgres/readAddresses.ts'

/** End of the chain at a time. Earlier entries can no longer be changed unnoticed. */
export type Anchor = { position: number; hash: string }

/** An anchor that lies outside the database, and where. */
export type NamedAnchor = Anchor & { at: string; from: string }

type Place = Pick<Config, 'dataFolder' | 'databaseUrl'>

type Line = Anchor & {
  at: string
  /** The operator restored a backup: anchors from before it speak of another log. */
  restored?: true
}

/** Bytes after which a new file begins. One former file is kept. */
const longestFile = 4 * 1024 * 1024

/**
 * File with ends of the audit log, to which lines are only added. An attacker with write access to the database, secret
 * included, could restore an earlier state of the log; this file is outside the database. One per database, so that a
 * folder for two of them does not mix their logs. `undefined` if nothing is stored on a disk.
 */
function anchorFile({ dataFolder, databaseUrl }: Place): string | undefined {
  if (dataFolder.startsWith('memory://')) return undefined
  return join(resolve(dataFolder), `audit-anchors-${nameOf(databaseUrl)}.jsonl`)
}

function nameOf(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return 'embedded'
  // The first host names the database: a promotion changes which of them is used.
  const { hostname, port, pathname } = new URL(readAddresses(databaseUrl)[0] as string)
  return createHash('sha256').update(`${hostname}:${port}${pathname}`).digest('hex').slice(0, 12)
}

/** Adds the end of the log to the file, and waits until it is on the disk. */
export async function writeAnchor(place: Place, { position, hash }: Anchor, isRestored = false): Promise<void> {
  const path = anchorFile(place)
  if (path === undefined) return
  await mkdir(resolve(place.dataFolder), { recursive: true, mode: 0o700 })
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > longestFile) await rename(path, `${path}.1`)
  const line: Line = { at: new Date().toISOString(), position, hash, ...(isRestored && { restored: true }) }
  const file = await open(path, 'a', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(line)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The anchors of the file, oldest first, and the time of the last restore: anchors from before it do not count. */
export async function readAnchors(place: Place): Promise<{ anchors: NamedAnchor[]; since: string | undefined }> {
  const path = anchorFile(place)
  if (path === undefined) return { anchors: [], since: undefined }
  const texts = await Promise.all([`${path}.1`, path].map((one) => readFile(one, 'utf8').catch(() => '')))
  const lines = texts.join('').split('\n').flatMap(readLine)
  const last = lines.findLastIndex(({ restored }) => restored)
  return {
    anchors: lines.slice(Math.max(0, last)).map(({ at, position, hash }) => ({ at, position, hash, from: path })),
    since: lines[last]?.at,
  }
}

/** The last line may be half of one after a crash. */
function readLine(text: string): Line[] {
  try {
    const line = JSON.parse(text) as Line
    const isWhole = Number.isSafeInteger(line.position) && /^[0-9a-f]{64}$/.test(line.hash)
    return isWhole && typeof line.at === 'string' ? [line] : []
  } catch {
    return []
  }
}

/** `120:9f86…`, as `countersign audit verify` prints it. */
export function readAnchor(text: string): NamedAnchor | undefined {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  return position && hash
    ? { position: Number(position), hash: hash.toLowerCase(), at: '', from: 'the anchor' }
    : undefined
}
