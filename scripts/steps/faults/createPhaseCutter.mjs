import { readMessages } from './readMessages.mjs'

/**
 * Phases of a transaction in which a connection can be lost.
 *
 * @typedef {'before BEGIN' | 'after BEGIN' | 'in a statement' | 'before COMMIT' | 'after COMMIT, before its response' | 'after COMMIT, the network with it' | 'single statement, before its response'} Phase
 */

/** @type {Phase[]} */
export const phases = [
  'before BEGIN',
  'after BEGIN',
  'in a statement',
  'before COMMIT',
  'after COMMIT, before its response',
  'after COMMIT, the network with it',
  'single statement, before its response',
]

/** Time (ms) for which the whole network of a server is gone: longer than it tries to find out what happened. */
const outage = 500

/** Cuts the next connection that reaches a phase, each time it is armed. */
export function createPhaseCutter() {
  /** @type {Phase | undefined} */
  let armed
  let cuts = 0

  /** A tap for `createProxy`, for the network of one server. @returns {(cut: () => void) => object} */
  const createTap = () => {
    /** @type {Set<() => void>} */
    const open = new Set()
    let goneUntil = 0
    const cutAll = () => {
      goneUntil = Date.now() + outage
      for (const cut of open) cut()
    }
    return (cut) => {
      open.add(cut)
      if (Date.now() < goneUntil) setImmediate(cut)
      return { ...watch(cut, cutAll), closed: () => void open.delete(cut) }
    }
  }

  /** @param {() => void} cut @param {() => void} cutAll */
  const watch = (cut, cutAll) => {
    let isCut = false
    let isInside = false
    /** Length of the current chunk that still passes. */
    let passes = 0
    const lose = (/** @type {number} */ from) => {
      passes = Math.max(0, from)
      isCut = true
      const isWhole = armed === 'after COMMIT, the network with it'
      armed = undefined
      cuts++
      // The part before it is sent first.
      setTimeout(isWhole ? cutAll : cut, 5)
    }
    const filter = (/** @type {(chunk: Buffer) => void} */ read) => (/** @type {Buffer} */ chunk) => {
      if (isCut) return Buffer.alloc(0)
      passes = chunk.length
      read(chunk)
      return chunk.subarray(0, passes)
    }
    const fromClient = readMessages((type, body, at) => {
      if (isCut) return
      const text =
        type === 'Q'
          ? body
              .toString('utf8', 0, body.length - 1)
              .trim()
              .toLowerCase()
          : ''
      if (text === 'begin' && armed === 'before BEGIN') return lose(at)
      if (text === 'begin') isInside = true
      else if (text === 'commit' && armed === 'before COMMIT') return lose(at)
      else if (text === 'commit' || text === 'rollback') isInside = text === 'commit' && isInside
      else if (isInside && (type === 'B' || type === 'P') && armed === 'in a statement')
        return lose(at + 5 + Math.floor(body.length / 2))
    })
    const fromServer = readMessages(
      (type, body, at) => {
        if (isCut || type !== 'C') return
        const tag = body.toString('utf8', 0, body.length - 1)
        if (tag === 'BEGIN' && armed === 'after BEGIN') return lose(at)
        if (tag === 'COMMIT' && armed?.startsWith('after COMMIT')) return lose(at)
        if (!isInside && /^(INSERT|UPDATE|DELETE)/.test(tag) && armed === 'single statement, before its response')
          return lose(at)
        if (tag === 'COMMIT' || tag === 'ROLLBACK') isInside = false
      },
      { isClient: false },
    )
    return { fromClient: filter(fromClient), fromServer: filter(fromServer) }
  }

  return {
    createTap,
    /** @param {Phase} phase */
    arm(phase) {
      armed = phase
    },
    disarm() {
      armed = undefined
    },
    cuts: () => cuts,
  }
}
