import type { WireChanges, WireFields } from '@countersign/protocol'

/** Seconds for which the server is asked to remember a write. */
export const requestAge = 30 * 86_400

/** One change of a document. Without `fields` it is deleted. */
export type WritePart = {
  readonly kind: 'create' | 'update' | 'delete'
  readonly className: string
  readonly objectId: string
  readonly fields?: (WireFields & WireChanges) | undefined
  /** The server refuses the change of a document that has another `updatedAt`. */
  readonly ifUpdatedAt?: string | undefined
  /** The document is gone again, or may be: the response must not bring it back. */
  readonly isGone?: boolean
}

export type WriteError = {
  readonly code: number
  readonly reason: string
  readonly message: string
  /** The server's document, of a conflict. */
  readonly object?: WireFields | undefined
}

/** A write that waits for the server, as it is stored. */
export type QueuedWrite = {
  /** Place in the queue. */
  readonly key: string
  /** Name under which the server does it once. */
  readonly requestId: string
  /** When it was made (ms). */
  readonly at: number
  /** Several are a transaction. */
  readonly parts: readonly WritePart[]
  /** A function of the application, in the place of documents. */
  readonly call?: { readonly name: string; readonly input: WireFields }
  /** A file, and the name that stands for it in later writes. */
  readonly file?: { readonly blob: Blob; readonly name: string; readonly standsFor: string }
  /** It was sent, and the response may have been lost. */
  readonly isSent?: boolean
  /** Why the server refused it. It is not shown any more. */
  readonly error?: WriteError
  /** The refused write that this one builds on. */
  readonly failedWith?: string
}

export type PendingWrites = {
  /** Writes that are shown and not sent yet, oldest first. */
  readonly pending: readonly QueuedWrite[]
  /** Writes that the server refused, and those that build on them. They are not shown. */
  readonly failed: readonly QueuedWrite[]
  /** The server has confirmed what is shown, apart from these writes. */
  readonly isCurrent: boolean
  /** When the server last confirmed it (ms). */
  readonly currentAt: number | undefined
  /** False if the browser refuses to store anything: documents and writes are gone with the page. */
  readonly isKept: boolean
}

/** Decides about a document that others have changed: fields to write over it, or undefined to give up. */
export type Resolve = (conflict: {
  readonly className: string
  readonly objectId: string
  /** Fields of the refused change; absent for a deletion. */
  readonly fields: WireFields | undefined
  /** The server's document; absent if it may not be read. */
  readonly present: WireFields | undefined
}) => object | undefined | Promise<object | undefined>

/** Documents, and names of files, that a write is about or points to. Writes that share one are sent in order. */
export function keysOf({ parts, call, file }: QueuedWrite): ReadonlySet<string> {
  const text = JSON.stringify([parts.map(({ fields }) => fields), call?.input])
  const quoted = text.match(/"[0-7][0-9A-HJKMNP-TV-Z]{25}"/g) ?? []
  const mentioned = quoted.map((id) => id.slice(1, -1))
  return new Set([...parts.map(({ objectId }) => objectId), ...mentioned, ...(file ? [file.standsFor] : [])])
}

/** Later writes of the same documents, and those that point to documents it would have made. */
export function dependentsOf(writes: readonly QueuedWrite[], write: QueuedWrite): readonly QueuedWrite[] {
  const lost = new Set([...write.parts.map(({ objectId }) => objectId), ...(write.file ? [write.file.standsFor] : [])])
  return writes.filter((other) => {
    if (other.key <= write.key || other.error || other.failedWith) return false
    if (![...keysOf(other)].some((key) => lost.has(key))) return false
    for (const { objectId } of other.parts) lost.add(objectId)
    return true
  })
}
