import { readMessages } from './readMessages.mjs'

/**
 * Reads the messages that clients send to PostgreSQL, and counts the prepared statements of each open connection.
 */
export function watchStatements() {
  /** @type {Set<Set<string>>} */
  const connections = new Set()
  return {
    /** A tap for `createProxy`. */
    tap: () => {
      /** @type {Set<string>} */
      const names = new Set()
      connections.add(names)
      const read = readMessages((type, body) => {
        if (type === 'P') {
          const name = body.toString('utf8', 0, body.indexOf(0))
          if (name !== '') names.add(name)
        }
        if (type === 'C' && body[0] === 83) names.delete(body.toString('utf8', 1, body.indexOf(0, 1)))
        if (type === 'Q' && /^\s*(deallocate|discard) all/i.test(body.toString())) names.clear()
      })
      return {
        fromClient(/** @type {Buffer} */ chunk) {
          read(chunk)
          return chunk
        },
        closed: () => void connections.delete(names),
      }
    },
    count: () => [...connections].reduce((sum, names) => sum + names.size, 0),
  }
}
