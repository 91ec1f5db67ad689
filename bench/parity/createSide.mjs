const masterKey = 'bench-master-key-never-used-elsewhere'

/**
 * `name` is what later operations call the object or person that this one makes: `@name` stands for its id.
 *
 * @typedef {{ method: string, path: string, body?: unknown, as?: string, name?: string, kind: string }} Operation
 * @typedef {{ status: number, body: unknown }} Response
 */

/**
 * One of the two servers. Ids, tokens and times differ between them: they are replaced by the names of the operations
 * that made them.
 *
 * @typedef {ReturnType<typeof createSide>} Side
 * @param {{ target: import('../types.d.ts').Target }} server
 */
export function createSide({ target: { port, mount, applicationId } }) {
  /** @type {Map<string, string>} */
  const ids = new Map()
  /** @type {Map<string, string>} */
  const names = new Map()
  /** @type {Map<string, string>} */
  const tokens = new Map()
  const fill = (/** @type {string} */ text) => text.replaceAll(/@(\w+)@/g, (_, name) => ids.get(name) ?? 'none')

  return {
    /** @param {Operation} operation @returns {Promise<Response>} */
    async send({ method, path, body, as }) {
      const token = as && tokens.get(as)
      const response = await fetch(`http://127.0.0.1:${port}${mount}${fill(path)}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          // parse-server closes idle connections, now and then in the moment of a request.
          Connection: 'close',
          'X-Parse-Application-Id': applicationId,
          ...(as === 'master' && { 'X-Parse-Master-Key': masterKey }),
          ...(token && { 'X-Parse-Session-Token': token }),
        },
        ...(body !== undefined && { body: fill(JSON.stringify(body)).replaceAll('"/mount/', `"${mount}/`) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : readJson(text) }
    },
    /** @param {Operation} operation @param {Response} response */
    learn({ name }, { status, body }) {
      const { objectId, sessionToken } = /** @type {Record<string, string>} */ (body ?? {})
      if (!name || status >= 300 || !objectId) return
      ids.set(name, objectId)
      names.set(objectId, `@${name}@`)
      if (sessionToken) tokens.set(name, sessionToken)
    },
    /** @param {unknown} body @returns {unknown} */
    normalize(body) {
      return clean(body, names)
    },
  }
}

/** @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return `not JSON: ${text.slice(0, 100)}`
  }
}

/**
 * A body with sorted keys, without what differs by nature.
 *
 * @param {unknown} value
 * @param {Map<string, string>} names
 * @returns {unknown}
 */
function clean(value, names) {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value.startsWith('2001') ? value : 'a time'
    if (/^r:/.test(value)) return 'a token'
    return value.replaceAll(/\b\w{10,32}\b/g, (word) => names.get(word) ?? word)
  }
  if (Array.isArray(value)) return value.map((part) => clean(part, names))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) => {
    const cleaned = clean(part, names)
    // AddUnique of parse-server's PostgreSQL adapter sorts the whole list and drops duplicates.
    const isList = key === 'tags' && Array.isArray(cleaned)
    return [names.get(key) ?? key, isList ? [...new Set(cleaned.map(String))].sort() : cleaned]
  })
  // Programs read the codes of errors; our words are our own.
  const isError = 'code' in value && 'error' in value
  const kept = entries.filter(([key]) => !isError || key === 'code')
  return Object.fromEntries(kept.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
