import { WebSocket } from 'ws'
import type { Scene } from '../createScene.ts'

type Frame = { op: string; [name: string]: unknown }

export type LiveSocket = Awaited<ReturnType<typeof openSocket>>

/** Opens a live connection. Frames are collected; `ask` waits for the response to a frame. */
export async function openSocket(scene: Scene, connect?: object) {
  const socket = new WebSocket(`${scene.target.origin.replace(/^http/, 'ws')}${scene.target.mount}`)
  const frames: Frame[] = []
  let code: number | undefined
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame))
  socket.on('close', (given) => {
    code = given
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => {})

  /** Waits for a frame, the end of the connection, or `ms`. */
  async function wait(fits: (frame: Frame) => boolean, ms = 5_000): Promise<Frame | undefined> {
    const end = Date.now() + ms
    for (;;) {
      const found = frames.find(fits)
      if (found || code !== undefined || Date.now() > end) return found
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const send = (frame: object | string) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  if (connect) {
    send({ op: 'connect', applicationId: scene.target.appId, ...connect })
    await wait(({ op }) => op === 'connected' || op === 'error')
  }
  return {
    frames,
    send,
    wait,
    async subscribe(requestId: number, query: object, more: object = {}): Promise<Frame | undefined> {
      send({ op: 'subscribe', requestId, query: { where: {}, ...query }, ...more })
      return wait((frame) => frame.requestId === requestId && ['subscribed', 'error'].includes(frame.op))
    },
    closedWith: () => code,
    close: () => socket.terminate(),
  }
}
