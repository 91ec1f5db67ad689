import type { Client } from '../client/Client.ts'

/**
 * Refreshes the visible data of a class: its queries, those that name it in a condition, and those that include its
 * documents; with an id, only the readings of that document. Not needed after saves and deletes of this client.
 *
 * @example
 * invalidateDocuments(client, 'Game')
 * invalidateDocuments(client, 'Game', 'xWMyZ4YEGZ')
 */
export function invalidateDocuments(client: Client, className: string, objectId?: string): void {
  for (const { asked, reading, base } of [...client.internal.readings.values()]) {
    if (isAbout(className, asked, base()) && (objectId === undefined || isIn(objectId, [asked, base()])))
      reading.invalidate()
  }
  notifyClass(client, className)
}

/** Notifies external caches that documents of a class changed. */
export function notifyClass({ internal }: Client, className: string): void {
  for (const listener of [...internal.classListeners]) listener(className)
}

function isIn(objectId: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object(value).objectId === objectId || Object.values(value).some((item) => isIn(objectId, item))
}

/**
 * Calls the listener with the name of a class after this client saved or deleted documents of it, and after
 * `invalidateDocuments`: for caches of your own. Returns the function that ends it.
 *
 * @example
 * const stop = onClassChange(client, (className) => console.log(`${className} changed`))
 */
export function onClassChange({ internal }: Client, listener: (className: string) => void): () => void {
  const entry = (className: string) => listener(className)
  internal.classListeners.add(entry)
  return () => {
    internal.classListeners.delete(entry)
  }
}

/** Returns true if a query names the class, or its data contains documents of it. */
export function isAbout(className: string, asked: unknown, data: unknown): boolean {
  return names(asked, className) || names(data, className, onlyNames)
}

/** Types that only refer to a document in data. In a query they may be its subject. */
const onlyNames = ['Pointer', 'Relation']

function names(value: unknown, className: string, ignored: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  if (fields.get('className') === className && !ignored.includes(fields.get('__type'))) return true
  return Array.from(fields.values()).some((item) => names(item, className, ignored))
}
