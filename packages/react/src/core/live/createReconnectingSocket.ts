import { CountersignError, type LiveAnswer, liveHeartbeat } from '@countersign/protocol'
import type { LineHandlers, LiveIdentity, LiveLine, LiveState } from '../state/LiveWire.ts'

const first = 1_000

const longest = 30_000

export type LineParts = {
  readonly dial: (url: string, handlers: LineHandlers) => LiveLine
  /** Undefined while that is not known: nothing is opened then. */
  readonly identify: () => LiveIdentity | undefined
  readonly isOnline: () => boolean
  readonly isNeeded: () => boolean
  readonly random: () => number
  /** Called before a line is opened for someone else than the last one. */
  readonly onIdentity: (present: LiveIdentity, former: LiveIdentity) => void
  readonly onFrame: (frame: LiveAnswer, identity: LiveIdentity) => void
  readonly onClose: () => void
  readonly show: (state: Omit<LiveState, 'subscriptions'>) => void
}

export type KeptLine = {
  readonly isConnected: () => boolean
  readonly send: (frame: object) => void
  /** Opens a line, if one is needed and none is there or waited for. */
  readonly need: () => void
  readonly fail: (error: CountersignError) => void
  readonly end: (status: 'idle' | 'refused', error?: CountersignError) => void
  /** Called if the caller may have changed. */
  readonly lookAgain: () => void
  /** The network is back, or the page is visible again: waiting attempts start immediately. */
  readonly wake: () => void
  /** The network is gone. */
  readonly sleep: () => void
}

type Link = { readonly line: LiveLine; readonly identity: LiveIdentity; isConnected: boolean; isDoubtful: boolean }
type Timer = ReturnType<typeof setTimeout>

/** Silence for so long means that the line is dead, whatever the operating system thinks of it. */
const longestSilence = 2.5 * liveHeartbeat
const longestOpening = 15_000

/** Keeps one line up for as long as it is needed: opens it, notices its death, opens the next one in due time. */
export function createReconnectingSocket(parts: LineParts): KeptLine {
  let link: Link | undefined
  let former: LiveIdentity | undefined
  /** Key of the last requested connection. */
  let key: string | undefined
  let heardAt = 0
  let retry: Timer | undefined
  let silence: Timer | undefined
  const progress = createProgress(parts.show)
  const { show } = progress

  function connect(): void {
    clearTimeout(retry)
    retry = undefined
    if (link) return
    const identity = parts.identify()
    key = identity?.key
    if (identity && parts.isNeeded()) open(identity)
    else show('idle')
  }

  function open(identity: LiveIdentity): void {
    if (former && former.key !== identity.key) parts.onIdentity(identity, former)
    former = identity
    if (!parts.isOnline()) {
      show('offline')
      return
    }
    show('connecting')
    try {
      link = dial(identity)
      listen(longestOpening, 'The server did not respond.')
    } catch (error) {
      fail(unreachable(error instanceof Error ? error.message : String(error)))
    }
  }

  function dial(identity: LiveIdentity): Link {
    const isMine = () => link === made
    const line = parts.dial(identity.url, {
      onOpen: () => isMine() && line.send(JSON.stringify(identity.connect)),
      onMessage: (text) => isMine() && receive(text, made),
      onClose: (reason) => isMine() && fail(unreachable(reason)),
    })
    const made: Link = { line, identity, isConnected: false, isDoubtful: false }
    return made
  }

  function receive(text: string, from: Link): void {
    listen(longestSilence, 'The server stopped responding.')
    const frame = parse(text)
    if (frame?.op === 'connected') {
      from.isConnected = true
      progress.open()
    }
    if (frame) parts.onFrame(frame, from.identity)
  }

  function listen(milliseconds: number, reason: string): void {
    heardAt = Date.now()
    clearTimeout(silence)
    silence = setTimeout(() => fail(unreachable(reason)), milliseconds)
  }

  function hangUp(): void {
    clearTimeout(retry)
    clearTimeout(silence)
    progress.close()
    retry = undefined
    const { line } = link ?? {}
    link = undefined
    if (!line) return
    line.close()
    parts.onClose()
  }

  function fail(error: CountersignError): void {
    hangUp()
    const attempts = progress.fail(error)
    const isWanted = parts.isNeeded()
    const isPossible = isWanted && parts.isOnline()
    if (isPossible) retry = setTimeout(connect, reconnectDelay(attempts, parts.random))
    show(isPossible ? 'waiting' : isWanted ? 'offline' : 'idle')
  }

  function replace(): void {
    hangUp()
    connect()
  }

  return {
    isConnected: () => link?.isConnected ?? false,
    send: (frame) => link?.line.send(JSON.stringify(frame)),
    need() {
      if (!retry) connect()
    },
    fail,
    end(status, error) {
      hangUp()
      show(status, error)
    },
    lookAgain() {
      if (parts.identify()?.key !== key) replace()
    },
    wake() {
      // A line that was open while the network was away, or while the device slept, only seems to be open.
      const isDead = link?.isDoubtful || Date.now() - heardAt > 1.5 * liveHeartbeat
      if (!link || isDead) replace()
    },
    sleep() {
      if (link) link.isDoubtful = true
      if (!retry) return
      clearTimeout(retry)
      retry = undefined
      show('offline')
    },
  }
}

type Progress = {
  /** Shows a status, with the last error unless one is given. */
  readonly show: (status: LiveState['status'], error?: CountersignError) => void
  readonly open: () => void
  readonly close: () => void
  /** Returns the failed attempts since a line held. */
  readonly fail: (error: CountersignError) => number
}

/** Shows the state of the line with the failures since it last held. */
function createProgress(showState: LineParts['show']): Progress {
  let attempts = 0
  let lastError: CountersignError | undefined
  let held: Timer | undefined

  function show(status: LiveState['status'], error = lastError): void {
    lastError = error
    showState({ status, attempts, ...(error && { error }) })
  }

  return {
    show,
    open() {
      show('open')
      // Not at once, or a server that accepts and drops would be called again and again without a pause.
      held = setTimeout(() => {
        attempts = 0
        lastError = undefined
        show('open')
      }, liveHeartbeat)
    },
    close: () => clearTimeout(held),
    fail(error) {
      lastError = error
      return ++attempts
    },
  }
}

function parse(text: string): LiveAnswer | undefined {
  try {
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null && 'op' in frame ? (frame as LiveAnswer) : undefined
  } catch {
    return undefined
  }
}

function unreachable(reason: string): CountersignError {
  return new CountersignError('ConnectionFailed', 'The live connection to the server was lost.', {
    reason: 'serverUnreachable',
    details: `${reason} It reconnects automatically. If it never connects, check that proxies forward WebSockets.`,
  })
}

/**
 * Delay after failed attempts: doubles each time, up to half a minute. Half of it is random, so that clients do not all
 * reconnect to a restarted server at the same moment.
 */
export function reconnectDelay(attempts: number, random: () => number): number {
  const ceiling = Math.min(longest, first * 2 ** Math.max(0, attempts - 1))
  return ceiling * (0.5 + random() / 2)
}
