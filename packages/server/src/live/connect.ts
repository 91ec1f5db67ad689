import { CountersignError, type LiveRequest, liveGuest, livePositions } from '@countersign/protocol'
import { codeCallerOf } from '../context/codeCaller.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { callerFor } from './callerFor.ts'
import type { Visitor } from './Live.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import { frameCodes } from './sockets/readFrame.ts'
import { sendError, sendFrame } from './sockets/sendFrame.ts'

/** The first message: who the client is. What fails here ends the connection. */
export async function connect(
  parts: LiveParts,
  client: LiveClient,
  visitor: Visitor,
  frame: Extract<LiveRequest, { op: 'connect' }>,
): Promise<void> {
  if (client.caller) throw new CountersignError(frameCodes.malformed, 'This client is connected already.')
  try {
    const caller = await visitor.identify(frame).catch(() => {
      throw new CountersignError(frameCodes.wrongKey, 'Key in request is not valid')
    })
    client.positions = frame.features?.includes(livePositions) ?? false
    const isGuest = frame.features?.includes(liveGuest) ?? false
    client.token = frame.sessionToken ?? (isGuest ? undefined : visitor.cookieToken)
    client.caller = caller
    const installation = caller.installationId && `,"installationId":${JSON.stringify(caller.installationId)}`
    client.who = `"clientId":"${client.id}"${installation ?? ''}`
    await askHooks(parts, client)
    sendFrame(client, { op: 'connected' })
  } catch (error) {
    client.caller = undefined
    sendError(client, error, null)
    client.socket.close(1008, 'not connected')
  }
}

async function askHooks(parts: LiveParts, client: LiveClient): Promise<void> {
  const handlers = findHooks(parts.context, 'beforeConnect', '@Connect')
  if (!handlers) return
  const caller = await callerFor(parts, client, undefined)
  for (const handle of handlers) {
    await handle({ hook: 'beforeConnect', className: '@Connect', caller: codeCallerOf(caller) })
  }
}
