import { headers, type WireFields, type WireValue } from '@countersign/protocol'
import {
  inOrder,
  type Source,
  type SourceClass,
  type SourceDocument,
  type SourceFile,
  TransferError,
  targetOf,
  type Unit,
} from '../Source.ts'

export type ServerOptions = { url: string; appId: string; masterKey: string }

type Tree = Record<string, unknown>

type Asked = { base: string; appId: string; masterKey: string }

type Ask = (path: string, query?: Record<string, string>) => Promise<Tree>

type Relation = { className: string; field: string; target: string }

const pageSize = 1_000
const patience = 120_000
const tries = 5

/** A running Parse server, asked over its API with the master key: pages ordered by id. */
export async function openParseServer({ url, appId, masterKey }: ServerOptions): Promise<Source> {
  const base = url.replace(/\/+$/, '')
  const { origin } = new URL(base)
  const leftOut = [
    'The API does not return passwords. These users must reset theirs, unless you import a database dump instead.',
  ]

  const ask: Ask = (path, query) => askServer({ base, appId, masterKey }, path, query)

  return {
    identity: `server ${base} ${appId}`,
    leftOut,
    async classes() {
      const { results } = await ask('/schemas')
      return ((Array.isArray(results) ? results : []) as Tree[]).map((schema) => ({
        className: String(schema.className),
        fields: (schema.fields ?? {}) as SourceClass['fields'],
        permissions: (schema.classLevelPermissions ?? {}) as WireValue,
        indexes: Object.fromEntries(
          Object.entries((schema.indexes ?? {}) as WireFields).filter(([name]) => name !== '_id_'),
        ),
      }))
    },
    async units(classes) {
      const units: Unit[] = []
      for (const { className, fields } of classes) {
        const target = targetOf(className)
        if (typeof target === 'string') {
          leftOut.push(target)
          continue
        }
        units.push({ name: className, target, size: 0, read: (from) => readPages(ask, className, from) })
        for (const [field, definition] of Object.entries(fields)) {
          const { type, targetClass } = Object(definition) as Tree
          if (type !== 'Relation' || typeof targetClass !== 'string') continue
          units.push({
            name: `_Join:${field}:${className}`,
            target: { as: 'relation', className, field },
            size: 0,
            read: (from) => readLinks(ask, { className, field, target: targetClass }, from),
          })
        }
      }
      return inOrder(units)
    },
    openFile: (_name, address) => openFile(address, origin),
  }
}

/** Asks the server for a path. Retries one that does not respond, or fails. */
async function askServer(
  { base, appId, masterKey }: Asked,
  path: string,
  query: Record<string, string> = {},
): Promise<Tree> {
  const address = `${base}${path}?${new URLSearchParams(query)}`
  for (let tried = 1; ; tried++) {
    const outcome = await fetch(address, {
      headers: { [headers.applicationId]: appId, [headers.masterKey]: masterKey },
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    }).catch((cause: unknown) => new TransferError(`No server is running at ${base}. Check --url.`, { cause }))
    if (outcome instanceof Error || outcome.status >= 500) {
      if (tried < tries) {
        await new Promise((resolve) => setTimeout(resolve, 500 * tried))
        continue
      }
      throw outcome instanceof Error ? outcome : new TransferError(`${path} responded with ${outcome.status}.`)
    }
    const answer = (await outcome.json().catch(() => ({}))) as Tree
    if (outcome.ok) return answer
    throw new TransferError(
      `The server rejected ${path}: ${outcome.status} ${String(answer.error ?? '')}. Check --app-id, --master-key and its masterKeyIps.`,
    )
  }
}

const pathOf = (className: string) => `/classes/${encodeURIComponent(className)}`

async function* readPages(ask: Ask, className: string, from: string | undefined): AsyncGenerator<SourceDocument[]> {
  let last = from
  for (;;) {
    const where = last === undefined ? {} : { objectId: { $gt: last } }
    const { results } = await ask(pathOf(className), {
      where: JSON.stringify(where),
      order: 'objectId',
      limit: String(pageSize),
    })
    const rows = (Array.isArray(results) ? results : []) as Tree[]
    if (rows.length > 0) {
      yield rows.map((fields) => ({ form: 'rest', fields, position: String(fields.objectId) }))
    }
    if (rows.length < pageSize) return
    last = String(rows.at(-1)?.objectId)
  }
}

/** The links of every object of the class, asked for one object after another: the API has no other way. */
async function* readLinks(
  ask: Ask,
  { className, field, target }: Relation,
  from: string | undefined,
): AsyncGenerator<SourceDocument[]> {
  let before = from ?? ''
  for await (const owners of readPages(ask, className, from)) {
    for (const { fields: owner, position } of owners) {
      const relation = { object: { __type: 'Pointer', className, objectId: owner?.objectId }, key: field }
      const documents: SourceDocument[] = []
      for (let last: string | undefined; ; ) {
        const where = { $relatedTo: relation, ...(last !== undefined && { objectId: { $gt: last } }) }
        const { results } = await ask(pathOf(target), {
          where: JSON.stringify(where),
          order: 'objectId',
          keys: 'objectId',
          limit: String(pageSize),
        })
        const rows = (Array.isArray(results) ? results : []) as Tree[]
        for (const { objectId } of rows) {
          documents.push({
            form: 'rest',
            fields: { owningId: owner?.objectId, relatedId: objectId },
            position: before,
          })
        }
        if (rows.length < pageSize) break
        last = String(rows.at(-1)?.objectId)
      }
      // Only the last one says that its owner is done.
      const final = documents.at(-1)
      if (final) final.position = position
      before = position
      if (documents.length > 0) yield documents
    }
  }
}

async function openFile(address: string | undefined, origin: string): Promise<SourceFile | undefined> {
  // Only from the server that was named: an address in somebody's object could be one inside this network.
  if (address === undefined || !URL.canParse(address) || new URL(address).origin !== origin) return undefined
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patience) }).catch(
    () => undefined,
  )
  if (!response?.ok || !response.body) {
    await response?.body?.cancel()
    return undefined
  }
  return { content: buffers(response.body), type: response.headers.get('content-type') ?? undefined }
}

async function* buffers(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of body) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
