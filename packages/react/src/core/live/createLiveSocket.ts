import { CountersignError, errorCodes, type LiveAnswer } from '@countersign/protocol'
import { readReason } from '../http/sendRequest.ts'
import type { WritableStore } from '../state/createStore.ts'
import type { LiveIdentity, LiveSocket, LiveState, LiveSubscription } from '../state/LiveWire.ts'
import { createReconnectingSocket, type LineParts } from './createReconnectingSocket.ts'

type LiveSocketParts = Pick<LineParts, 'dial' | 'identify' | 'isOnline' | 'random'> & {
  readonly state: WritableStore<LiveState>
  /** The server no longer knows the session that the line was opened with. */
  readonly endSession: (identity: LiveIdentity) => void
}

type ErrorFrame = Extract<LiveAnswer, { op: 'error' }>

/** A page that changes its view subscribes again a moment later. */
const idleTime = 5_000
const events = new Set<string>(['create', 'update', 'enter', 'leave', 'delete'])

/** All subscriptions of a client over one line, which the first opens and the last one to end closes. */
export function createLiveSocket({ state, endSession, ...given }: LiveSocketParts): LiveSocket {
  const subscriptions = new Map<number, LiveSubscription>()
  let count = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const each = () => [...subscriptions.values()]
  const line = createReconnectingSocket({
    ...given,
    isNeeded: () => subscriptions.size > 0,
    show: (shown) => state.set({ ...shown, subscriptions: subscriptions.size }),
    onFrame: receive,
    onIdentity(present, former) {
      for (const one of each()) {
        if (one.phase === 'refused') one.phase = 'waiting'
        // One user's position says nothing about what another may see.
        if (present.reader !== former.reader) delete one.position
      }
    },
    onClose() {
      for (const one of each()) {
        const wasOpen = one.phase === 'open'
        if (one.phase !== 'refused') one.phase = 'waiting'
        if (wasOpen) guard(one.handlers.onClose)
      }
    },
  })

  function receive(frame: LiveAnswer, identity: LiveIdentity): void {
    const found = 'requestId' in frame ? subscriptions.get(frame.requestId ?? 0) : undefined
    if (frame.op === 'connected') for (const one of each()) ask(one)
    else if (frame.op === 'position') for (const one of each()) seePosition(one, frame.position)
    else if (frame.op === 'error') refuse(frame, found, identity)
    else if (found) notify(frame, found)
  }

  function ask(subscription: LiveSubscription): void {
    if (!line.isConnected() || subscription.phase !== 'waiting') return
    const { requestId, query, position } = subscription
    subscription.phase = 'asked'
    line.send({ op: 'subscribe', requestId, query, ...(position !== undefined && { from: position }) })
  }

  function notify(frame: LiveAnswer, subscription: LiveSubscription): void {
    const { handlers } = subscription
    if (frame.op === 'subscribed') {
      const isWhole = subscription.position !== undefined
      subscription.phase = 'open'
      // After a resumption the events since then are still to come: cut off before them, they are asked for again.
      if (!isWhole && frame.position !== undefined) subscription.position = frame.position
      guard(() => handlers.onOpen(isWhole, frame.access))
      if (!isWhole) report(subscription)
    } else if (frame.op === 'resync') {
      subscription.position = frame.position
      guard(handlers.onResync)
      report(subscription)
    } else if (frame.op === 'access') {
      guard(() => handlers.onAccess?.(frame.access))
    } else if (isEvent(frame)) {
      if (frame.position !== undefined) subscription.position = frame.position
      guard(() => handlers.onEvent(frame))
    }
  }

  function refuse(frame: ErrorFrame, subscription: LiveSubscription | undefined, identity: LiveIdentity): void {
    if (frame.code === errorCodes.InvalidSessionToken) {
      endSession(identity)
      line.lookAgain()
      // The response was to the former user.
      if (given.identify()?.key !== identity.key) return
    }
    const error = new CountersignError(frame.code, frame.error, {
      ...readReason(frame),
      details: 'The server rejected it on the live connection.',
    })
    if (frame.reconnect) line.fail(error)
    else if (subscription) {
      subscription.phase = 'refused'
      delete subscription.position
      guard(() => subscription.handlers.onError(error))
    } else if (frame.requestId === null) {
      line.end('refused', error)
      for (const one of each()) guard(() => one.handlers.onError(error))
    }
  }

  function end(subscription: LiveSubscription): void {
    const { requestId, phase } = subscription
    if (!subscriptions.delete(requestId)) return
    if (phase === 'asked' || phase === 'open') line.send({ op: 'unsubscribe', requestId })
    state.set({ ...state.get(), subscriptions: subscriptions.size })
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (subscriptions.size === 0) line.end('idle')
    }, idleTime)
  }

  return {
    lookAgain: line.lookAgain,
    list: each,
    wake: line.wake,
    sleep: line.sleep,
    leave: () => line.end('idle'),
    subscribe(query, handlers, from) {
      const subscription: LiveSubscription = { requestId: ++count, query, handlers, phase: 'waiting' }
      if (from !== undefined) subscription.position = from
      subscriptions.set(subscription.requestId, subscription)
      state.set({ ...state.get(), subscriptions: subscriptions.size })
      if (line.isConnected()) ask(subscription)
      else line.need()
      return () => end(subscription)
    },
  }
}

function seePosition(subscription: LiveSubscription, position: string | undefined): void {
  if (subscription.phase !== 'open' || position === undefined) return
  subscription.position = position
  report(subscription)
}

function report({ handlers, position }: LiveSubscription): void {
  if (position !== undefined) guard(() => handlers.onPosition?.(position))
}

/** Returns true for known events. A server of another version may send others. */
function isEvent(frame: LiveAnswer): frame is Extract<LiveAnswer, { object: object }> {
  return events.has(frame.op)
}

// An application's own mistake must not end the line for all others.
function guard(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
