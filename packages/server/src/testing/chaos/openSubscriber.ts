import { type RawData, WebSocket } from 'ws'
import type { Asked, Who } from './Chaos.ts'
import { appId } from './startCluster.ts'

/** One event as it came: enough to tell it from all others. */
export type Heard = { key: string; objectId: string; writer: number; step: number }

export type Question = {
  asked: Asked
  position: string | undefined
  /** Events of each connection; a client that resumes has all in the first. */
  runs: Heard[][]
  isOpen: boolean
}

export type Subscriber = {
  who: Who
  positions: boolean
  questions: Question[]
  faults: string[]
  resumed: number
  isOpen(): boolean
  /** As a network that fails. */
  cut(): void
  stop(): void
}

type Frame = {
  op: string
  requestId?: number | null
  position?: string
  object?: Fields
  original?: Fields
  reconnect?: boolean
  code?: number
  error?: string
}
type Fields = { objectId: string; n: number; writer: number; step: number; updatedAt: string }
type Parts = { who: Who; positions: boolean; asked: Asked[]; url(): string; noteLag(milliseconds: number): void }

const events = new Set(['create', 'update', 'enter', 'leave', 'delete'])

/** A client with the rules of ours: it comes back, to any server, and names the last position of each question. */
export function openSubscriber({ who, positions, asked, url, noteLag }: Parts): Subscriber {
  const questions = asked.map((each): Question => ({ asked: each, position: undefined, runs: [], isOpen: false }))
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const subscriber: Subscriber = {
    who,
    positions,
    questions,
    faults: [],
    resumed: 0,
    isOpen: () => questions.every(({ isOpen }) => isOpen),
    cut: () => socket?.terminate(),
    stop() {
      stopped = true
      clearTimeout(timer)
      socket?.terminate()
    },
  }

  const dial = () => {
    const mine = new WebSocket(`${url().replace('http', 'ws')}/server`, { perMessageDeflate: false })
    socket = mine
    const send = (frame: object) => mine.send(JSON.stringify(frame))
    // A server that is stopped takes the connection and says nothing.
    const impatient = setTimeout(() => mine.terminate(), 15_000)
    mine.on('open', () =>
      send({
        op: 'connect',
        applicationId: appId,
        ...(who.token && { sessionToken: who.token }),
        ...(positions && { features: ['positions'] }),
      }),
    )
    mine.on('message', (data: RawData) => {
      if (socket !== mine) return
      const frame = JSON.parse(String(data)) as Frame
      if (frame.op === 'connected') {
        clearTimeout(impatient)
        for (const [at, { asked, position }] of questions.entries()) {
          const query = { className: 'Cell', where: asked.where }
          send({ op: 'subscribe', requestId: at + 1, query, ...(position !== undefined && { from: position }) })
          if (position !== undefined) subscriber.resumed++
        }
      } else receive(frame, mine)
    })
    mine.on('error', () => {})
    mine.on('close', () => {
      clearTimeout(impatient)
      if (socket !== mine) return
      socket = undefined
      for (const question of questions) question.isOpen = false
      if (!stopped) timer = setTimeout(dial, 100 + Math.random() * 900)
    })
  }

  const receive = (frame: Frame, from: WebSocket) => {
    const question = frame.requestId ? questions[frame.requestId - 1] : undefined
    if (frame.op === 'position') {
      for (const each of questions) if (each.isOpen && frame.position !== undefined) each.position = frame.position
    } else if (frame.op === 'error') {
      if (!frame.reconnect) subscriber.faults.push(`refused with ${frame.code}: ${frame.error}`)
      from.terminate()
    } else if (!question) {
      subscriber.faults.push(`a frame without a question: ${JSON.stringify(frame)}`)
    } else if (frame.op === 'subscribed') {
      question.isOpen = true
      if (question.position === undefined && frame.position !== undefined) question.position = frame.position
      if (!positions || question.runs.length === 0) question.runs.push([])
    } else if (frame.op === 'resync') {
      subscriber.faults.push('asked to query again, though nothing is too old')
      question.position = frame.position
    } else if (events.has(frame.op) && frame.object) {
      if (frame.position !== undefined) question.position = frame.position
      const { objectId, n, writer, step, updatedAt } = frame.object
      question.runs.at(-1)?.push({ key: describe(frame.op, n, frame.original?.n), objectId, writer, step })
      if (frame.op !== 'delete' && frame.op !== 'leave') noteLag(Date.now() - Date.parse(updatedAt))
    }
  }
  dial()
  return subscriber
}

export function describe(op: string, n: number, original: number | undefined): string {
  return `${op} ${n} ${original ?? '-'}`
}
